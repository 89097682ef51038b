public import ImmutableUI
public import QuakesData

// Messages to a window about its own actions.
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
      let count = QuakesState.selectQuakesCount()(state)
      guard count > 0 else { return nil }
      let deletion = QuakesState.selectDeletion()(state) + 1
      let deleted = count.counting("earthquake", "earthquakes")
      return Toast("\(count == 1 ? "" : "All ")\(deleted) deleted.") { state in
        QuakesState.selectDeletion()(state) == deletion
          ? .ui(.quakeList(.onTapRestoreQuakesButton(deletion: deletion))) : nil
      }
    case .ui(.quakeList(.onTapRestoreQuakesButton(let deletion))):
      let count = QuakesState.selectDeletedCount(deletion: deletion)(state)
      // An old page may ask to restore quakes that are already restored.
      guard count > 0 else { return Toast("This can no longer be undone.") }
      return Toast(
        "\(count.counting("earthquake", "earthquakes")) \(count == 1 ? "is" : "are") back.")
    case .ui(.quakeList(.onTapRefreshQuakesButton)), .ui(.quakeList(.onTapLoadSampleButton)):
      return Toast(result: { state in
        let count = QuakesState.selectNewQuakesCount()(state)
        return count == 0
          ? "Nothing new." : "\(count.counting("new earthquake", "new earthquakes"))."
      })
    case .ui(.quakeList(.onAppear)), .ui(.quakeList(.onTapCancelRefreshButton)),
      .ui(.quakeList(.onTapDismissFailureButton)), .data:
      return nil
    }
  }
}
