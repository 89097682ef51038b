public import ImmutableData

/// What a page fetches when a window first shows it: the `onAppear` of the components in it.
///
/// The page waits for it, but no longer than a second. Without JavaScript the page reloads itself
/// while a fetch is under way. If a form is open it reloads only until something has been fetched,
/// because a reload would lose what is being typed.
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
  ///   - action: Calls for the fetch. It is dispatched if that was never called for.
  ///   - status: How the newest fetch stands; `nil` before the first.
  ///   - isShown: Whether a window shows what is fetched.
  ///   - isEmpty: Whether nothing of it is there.
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
