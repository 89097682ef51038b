public import ImmutableUI
public import QuakesData

// What a window is told about what was done in it.
extension Content {
  public static func toast(for action: QuakesAction, in state: QuakesState) -> Toast<QuakesState>? {
    switch action {
    case .ui(.quakeList(.onTapDeleteSelectedQuakeButton(let quakeId))):
      return QuakesState.selectQuake(quakeId: quakeId)(state).map { quake in
        Toast("\(quake.name) deleted.", undo: .ui(.quakeList(.onTapRestoreQuakeButton(quake))))
      }
    case .ui(.quakeList(.onTapRestoreQuakeButton(let quake))):
      return Toast("\(quake.name) is back.")
    case .ui(.quakeList(.onTapDeleteAllQuakesButton)):
      return Toast("All earthquakes deleted. Refresh brings back those that the feed has.")
    case .ui(.quakeList(.onAppear)), .ui(.quakeList(.onTapRefreshQuakesButton)),
      .ui(.quakeList(.onTapCancelRefreshButton)), .ui(.quakeList(.onTapLoadSampleButton)), .data:
      return nil
    }
  }
}
