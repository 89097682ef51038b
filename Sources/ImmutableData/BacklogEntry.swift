/// Counts one post for as long as something that it has caused goes on.
///
/// Each effect of the post retains it, and so does each of its actions that the reader of a stream
/// has not finished. When the last of them ends, so does the entry.
package final class BacklogEntry: Sendable {
  private let onEnd: @Sendable () -> Void
  private let onRun: @Sendable (Duration) -> Void

  /// - Parameters:
  ///   - onEnd: Called once, when the entry ends.
  ///   - onRun: Called when an effect that others in its lane wait for has run, with how long that
  ///     took.
  package init(
    onEnd: @escaping @Sendable () -> Void,
    onRun: @escaping @Sendable (Duration) -> Void = { _ in }
  ) {
    self.onEnd = onEnd
    self.onRun = onRun
  }

  deinit { self.onEnd() }

  /// An effect of the post has run in a lane.
  func didRun(for time: Duration) { self.onRun(time) }

  /// Finds the entry of the post that this task carries out, or whose effect it runs. It does not
  /// retain the entry: a task keeps its values until it ends, and tasks that have nothing to do
  /// with the post may inherit them, such as that of a connection.
  @TaskLocal private static var find: @Sendable () -> BacklogEntry? = { nil }

  /// The entry of the post that this task carries out, or whose effect it runs.
  package static var current: BacklogEntry? { self.find() }

  /// Calls a closure with another current entry.
  @MainActor package static func withCurrent<Value>(
    _ entry: BacklogEntry?,
    _ body: () throws -> Value
  ) rethrows -> Value {
    // As for most entries of other servers.
    guard entry != nil || Self.current != nil else { return try body() }
    return try self.$find.withValue({ [weak entry] in entry }, operation: body)
  }

  /// Calls a closure with another current entry.
  @MainActor package static func withCurrent<Value>(
    _ entry: BacklogEntry?,
    _ body: () async throws -> Value
  ) async rethrows -> Value {
    try await self.$find.withValue({ [weak entry] in entry }, operation: body)
  }
}
