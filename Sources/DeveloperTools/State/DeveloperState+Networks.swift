import ImmutableRuntime
import ImmutableUI

extension DeveloperState {
  /// Whether developers may dispatch actions by hand, and do other things that visitors notice.
  var canDispatch: Bool { self.program.decode != nil }

  /// - Throws: ``Refusal`` if developers may not do things that visitors notice.
  func requireDispatch() throws {
    guard self.canDispatch == false else { return }
    throw Refusal(.unknown, "Visitors would notice. Start the server with --developer-dispatch.")
  }

  /// - Throws: ``Refusal`` if developers may not simulate networks, or if there is no browser with
  ///   this name.
  func requireBrowser(_ browser: String) throws {
    try self.requireDispatch()
    guard self.browser(browser) != nil else {
      throw Refusal(.unknown, "This browser has no window any more. Choose another.")
    }
  }

  /// A browser by its name; `nil` if it has no window and no simulated network.
  func browser(_ name: String) -> Browser? {
    let windows = self.windows.filter { $0.connection?.browser == name }
    let conditions = self.slowed.first { $0.id == name }?.conditions
    guard windows.isEmpty == false || conditions != nil else { return nil }
    return Browser(name: name, windows: windows, conditions: conditions)
  }

  struct Browser: Hashable, Sendable {
    let name: String
    let windows: [ShownWindow]
    /// `nil` for a normal network.
    let conditions: NetworkConditions?
  }
}
