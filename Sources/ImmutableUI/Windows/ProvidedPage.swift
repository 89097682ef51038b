import ImmutableData

/// A page with its store, without their types.
struct ProvidedPage: Sendable {
  let path: String
  let title: String
  let store: StoreSource
  let prepare: @Sendable (TemplateSet) throws -> Void
  let locate: @Sendable (Query, WindowEnvironment) -> Location
  /// By a snapshot of the store.
  let normalize: @Sendable (Location, any Sendable) -> Location
  /// By a snapshot of the store.
  let isWaiting: @Sendable (Location, any Sendable) -> Bool
  let submission: @Sendable (Location) -> String?
  /// Dispatches what happens as a window first shows the page; `nil`: nothing does.
  let appear: @Sendable (Location) -> (@MainActor @Sendable () -> Void)?
  /// Makes the action of a form that was posted from a location, and dispatches it.
  ///
  /// - Throws: ``Refusal``; the state is unchanged.
  let submit:
    @MainActor @Sendable (_ form: String, FormFields, Location) throws -> AcceptedSubmission

  init<State: StoreState>(_ page: Page<State>, store: Store<State, State.Action>) {
    let root = page.root
    self.path = page.path
    self.title = page.title
    self.store = StoreSource(store)
    self.prepare = root.prepare
    self.locate = root.locate
    self.submission = root.submission
    self.normalize = { root.normalize($0, Self.state($1, of: store)) }
    self.isWaiting = { root.isWaiting($0, Self.state($1, of: store)) }
    self.appear = { location in
      let actions = root.onAppear(location, store.snapshot().state)
      guard actions.isEmpty == false else { return nil }
      return {
        for action in actions {
          // A refusal means that there is nothing to do.
          try? store.dispatch(action: action)
        }
      }
    }
    self.submit = { name, fields, location in
      guard let form = page.forms[name] else {
        throw Refusal(.unknown, "There is no form \u{201C}\(name)\u{201D} here. Reload the page.")
      }
      do {
        let action = try form.action(fields)
        try store.dispatch(action: action)
        let next = root.reduce(location, action)
        return AcceptedSubmission(
          version: store.snapshot().version,
          name: root.submission(next),
          status: { root.status(action, store.snapshot().state) },
          location: { root.normalize(next, store.snapshot().state) }
        )
      } catch {
        throw Refusal(error)
      }
    }
  }

  private static func state<State, Action>(
    _ snapshot: any Sendable,
    of store: Store<State, Action>
  ) -> State {
    guard let snapshot = snapshot as? StoreSnapshot<State, Action> else {
      preconditionFailure("a page was given a snapshot of another store")
    }
    return snapshot.state
  }
}
