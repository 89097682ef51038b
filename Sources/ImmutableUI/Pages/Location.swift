package import ImmutableData

/// The location of a window: a page and a value of its local state. Pure.
package protocol Location<State>: Sendable {
  associatedtype State: StoreState

  /// Windows whose locations have equal keys show the same content.
  var key: LocationKey { get }
  /// The environment in which its local state was resolved.
  var environment: WindowEnvironment { get }
  /// The page's title, used if the root component sets none.
  var title: String { get }
  var overlay: Overlay { get }
  /// The submissions that it waits for or whose failures it shows.
  var submissions: [String] { get }

  /// The location once the effect of one of those submissions has ended.
  func settled(_ submission: String, _ outcome: OperationStatus?) -> any Location<State>
  /// The location with its local state normalized for a state.
  ///
  /// - Parameter old: The state that its windows have shown before, if any.
  func normalized(in state: State, after old: State?) -> any Location<State>
  /// Whether that is this location.
  func isNormalized(in state: State, after old: State?) -> Bool
  /// Of what a form closes, that which is part of this local state.
  func closing(_ closings: [FormClosing]) -> FormClosing?
  /// The location after posting a form that closes something.
  func posted(_ submission: String, _ closing: FormClosing, waits: Bool) -> any Location<State>
  /// - Throws: ``Refusal`` for a form that must not be carried out in this state.
  func check(_ fields: FormFields, in state: State) throws
  /// The actions to dispatch when a window first shows this location.
  func appear(in state: State) -> [State.Action]
  /// Whether its path names something that does not exist, or no longer exists. Only the required
  /// parameters of a path are kept then; others are taken out of the URL.
  var hasGone: Bool { get }
  /// Whether what its path names has existed, and was deleted.
  func wasDeleted(in state: State) -> Bool
  /// Whether the location has nothing to show yet, because its data is being fetched or was never
  /// requested.
  func isLoading(in state: State) -> Bool
  /// Whether the location shows something that is in progress.
  func isWaiting(in state: State) -> Bool
  /// The status of an action's side effect; `nil` or `.empty` if it has none.
  func status(of action: State.Action, in state: State) -> OperationStatus?
  /// The toast for the window that posted an action, shown once its effect has succeeded.
  func toast(for action: State.Action, in state: State) -> Toast<State>?
}

extension Location {
  package func normalized(in state: State) -> any Location<State> {
    self.normalized(in: state, after: nil)
  }

  package var path: PagePath { self.key.path }
  package var query: Query { self.key.query }
  package var root: RegionComponent { self.key.root }
  package var url: String { self.key.url }
}

/// Identifies a location.
package struct LocationKey: Hashable, Sendable {
  package let path: PagePath
  /// The local state as it appears in the URL. It is canonical: equal local states have equal
  /// queries.
  package let query: Query
  package let root: RegionComponent

  package var url: String { self.path.url(self.query) }
}

/// A location of one page.
struct PageLocation<Content: Root>: Location {
  let page: Page<Content>
  let local: Content.Local
  let environment: WindowEnvironment
  let key: LocationKey
  private(set) var hasGone = false

  init(page: Page<Content>, local: Content.Local, environment: WindowEnvironment) {
    self.page = page
    self.local = local
    self.environment = environment
    self.key = LocationKey(
      path: page.path,
      query: local.query,
      root: RegionComponent(Content(local.withoutLate))
    )
  }

  var title: String { self.page.title }
  var overlay: Overlay { Content.overlay(self.local) }
  var submissions: [String] { self.local.submissions }

  func settled(_ submission: String, _ outcome: OperationStatus?) -> any Location<Content.State> {
    var local = self.local
    local.settle(submission, outcome, at: self.page.path.text)
    return self.with(local)
  }

  func normalized(
    in state: Content.State,
    after old: Content.State?
  ) -> any Location<Content.State> {
    self.with(Content.normalize(self.local, state, after: old))
  }

  func isNormalized(in state: Content.State, after old: Content.State?) -> Bool {
    Content.normalize(self.local, state, after: old) == self.local
  }

  func closing(_ closings: [FormClosing]) -> FormClosing? {
    closings.first { $0.local == Content.Local.self }
  }

  func posted(
    _ submission: String,
    _ closing: FormClosing,
    waits: Bool
  ) -> any Location<Content.State> {
    var local = self.local
    local.didPost(submission, closing: closing.property, waits: waits)
    return self.with(local)
  }

  func check(_ fields: FormFields, in state: Content.State) throws {
    try Content.check(fields, self.local, state)
  }

  func appear(in state: Content.State) -> [Content.State.Action] {
    Content.onAppear(self.local, state)
  }

  func wasDeleted(in state: Content.State) -> Bool {
    Content.wasDeleted(self.local, state)
  }

  func isLoading(in state: Content.State) -> Bool {
    Content.isLoading(self.local, state)
  }

  func isWaiting(in state: Content.State) -> Bool {
    Content.isWaiting(self.local, state)
  }

  func status(of action: Content.State.Action, in state: Content.State) -> OperationStatus? {
    Content.status(of: action, in: state)
  }

  func toast(for action: Content.State.Action, in state: Content.State) -> Toast<Content.State>? {
    Content.toast(for: action, in: state)
  }

  private func with(_ new: Content.Local) -> Self {
    guard new != self.local else { return self }
    var location = Self(page: self.page, local: new, environment: self.environment)
    guard self.page.path.isComplete(location.query) == false else { return location }
    // Without what the path requires, there would be no URL.
    var local = new
    local.keep(self.page.path.required, of: self.local)
    location = Self(page: self.page, local: local, environment: self.environment)
    location.hasGone = true
    return location
  }
}
