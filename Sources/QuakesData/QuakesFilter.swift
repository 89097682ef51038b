public import Foundation
import HashTreeCollections

/// Which actions can change what a selector depends on.
///
/// Source: the guide, chapter QuakesData, section QuakesFilter.
public enum QuakesFilter {
}

extension QuakesFilter {
  /// Passes the actions that can change the quakes.
  ///
  /// - Complexity: O(1).
  public static func filterQuakes() -> @Sendable (QuakesState, QuakesAction) -> Bool {
    { _, action in
      switch action {
      case .ui(.quakeList(.onTapDeleteSelectedQuakeButton)),
        .ui(.quakeList(.onTapRestoreQuakeButton)), .ui(.quakeList(.onTapDeleteAllQuakesButton)):
        true
      case .data(.persistentSession(let action)):
        self.changesQuakes(action)
      default:
        false
      }
    }
  }

  /// Beyond the guide: passes the actions that can change the quakes of an interval, so that deleting
  /// one leaves alone whoever does not show it.
  ///
  /// - Parameters:
  ///   - searchText: As for ``QuakesState/selectQuakes(searchText:searchInterval:)``.
  ///   - searchInterval: As there.
  ///   - minimumMagnitude: As there.
  /// - Complexity: O(log n), n quakes.
  public static func filterQuakes(
    searchText: String,
    searchInterval: Range<Date>,
    minimumMagnitude: Double = -.infinity
  ) -> @Sendable (QuakesState, QuakesAction) -> Bool {
    let search = QuakeSearch(
      text: searchText,
      interval: searchInterval,
      minimumMagnitude: minimumMagnitude
    )
    return { oldState, action in
      switch action {
      case .ui(.quakeList(.onTapDeleteSelectedQuakeButton(let quakeId))):
        oldState.quakes.data[quakeId].map { search.finds($0) } ?? false
      case .ui(.quakeList(.onTapRestoreQuakeButton(let quake))):
        search.finds(quake)
      case .ui(.quakeList(.onTapDeleteAllQuakesButton)):
        oldState.quakes.data.isEmpty == false
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
