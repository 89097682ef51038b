/// The actions that can change the input of a selector.
///
/// Source: the guide, chapter QuakesData, section QuakesFilter.
public enum QuakesFilter {
}

extension QuakesFilter {
  /// Passes the actions that can change the quakes. O(1).
  public static func filterQuakes() -> @Sendable (QuakesState, QuakesAction) -> Bool {
    { _, action in
      switch action {
      case .ui(.quakeList(.onTapDeleteSelectedQuakeButton)),
        .ui(.quakeList(.onTapRestoreQuakeButton)), .ui(.quakeList(.onTapRestoreQuakesButton)),
        .ui(.quakeList(.onTapDeleteAllQuakesButton)):
        true
      case .data(.persistentSession(let action)):
        self.changesQuakes(action)
      default:
        false
      }
    }
  }

  private static func changesQuakes(_ action: QuakesAction.Data.PersistentSession) -> Bool {
    switch action {
    case .localStore(.didFetchQuakes(result: .success)),
      .localStore(.didFetchQuakesAgain(error: _, result: .success)),
      .localStore(.didChangeElsewhere),
      .remoteStore(.didFetchQuakes(result: .success)):
      true
    default:
      false
    }
  }
}
