public import ImmutableData

/// What a page fetches when a window first shows it: the `onAppear` of the components in it.
///
/// The page waits for it, but no longer than a second. Without JavaScript the page reloads itself
/// while a fetch is in progress. If a form is open, it reloads only until something has been
/// fetched, because a reload would lose the user's input.
///
/// ```swift
/// static let fetches: [Fetch<Self>] = [
///   Fetch(.onAppear, NotesState.selectNotesStatus()) { NotesState.selectNotesCount()($0) == 0 }
/// ]
/// ```
public struct Fetch<Content: Root>: Sendable {
  let action: Content.State.Action
  let status: @Sendable (Content.State) -> OperationStatus?
  let isEmpty: @Sendable (Content.State) -> Bool
  let isShown: @Sendable (Content.Local) -> Bool

  /// - Parameters:
  ///   - action: Requests the fetch. It is dispatched if the fetch was never requested.
  ///   - status: The status of the newest fetch; `nil` before the first.
  ///   - isShown: Whether a window shows the fetched data.
  ///   - isEmpty: Whether there is no such data yet.
  public init(
    _ action: Content.State.Action,
    _ status: @escaping @Sendable (Content.State) -> OperationStatus?,
    if isShown: @escaping @Sendable (Content.Local) -> Bool = { _ in true },
    isEmpty: @escaping @Sendable (Content.State) -> Bool
  ) {
    self.action = action
    self.status = status
    self.isShown = isShown
    self.isEmpty = isEmpty
  }
}
