import ImmutableData

/// A page with its store, without their types.
struct ProvidedPage: Sendable {
  let path: String
  let title: String
  let store: StoreSource
  let prepare: @Sendable (TemplateSet) throws -> Void
  /// Where a page is that is asked for.
  let locate: @Sendable (Query, WindowEnvironment) -> Location
  /// Where a window is: without late parameters.
  let locateWindow: @Sendable (Query, WindowEnvironment) -> Location
  /// By a snapshot of the store.
  let normalize: @Sendable (Location, any Sendable) -> Location
  /// By a snapshot of the store.
  let isWaiting: @Sendable (Location, any Sendable) -> Bool
  let submission: @Sendable (Location) -> String?
  let settle: @Sendable (Location, EffectStatus?) -> Location
  /// Dispatches what happens as a window first shows the page, and returns what the reducer threw; `nil`:
  /// nothing happens.
  let appear: @Sendable (Location) -> (@MainActor @Sendable () -> [any Error])?
  /// Makes the action of a form that was posted from a location, and dispatches it.
  ///
  /// - Parameter name: Of the submission.
  /// - Returns: The submission, and its effect if it has one.
  /// - Throws: ``Refusal``, or whatever the reducer throws; the state is unchanged.
  let submit:
    @MainActor @Sendable (_ form: String, FormFields, Location, _ name: String, TemplateSet) throws
      -> (AcceptedSubmission, Effect?)
  /// The forms that can be posted, by name, with the names of their fields.
  let forms: @Sendable (TemplateSet) -> [String: [String]]

  init<State: StoreState>(_ page: Page<State>, store: Store<State, State.Action>) {
    let root = page.root
    self.path = page.path
    self.title = page.title
    self.store = StoreSource(store)
    self.prepare = root.prepare
    self.locate = root.locate
    let late = root.lateParameters.map { QueryItem(name: $0, value: "") }
    self.locateWindow = { root.locate($0.setting(late), $1) }
    self.submission = root.submission
    self.settle = root.settle
    self.normalize = { root.normalize($0, Self.state($1, of: store)) }
    self.isWaiting = { root.isWaiting($0, Self.state($1, of: store)) }
    self.appear = { location in
      let actions = root.onAppear(location, store.snapshot().state)
      guard actions.isEmpty == false else { return nil }
      return {
        actions.compactMap { action in
          do {
            try store.dispatch(action: action)
            return nil
          } catch {
            return error
          }
        }
      }
    }
    self.forms = { $0.formFields(of: State.Action.self) }
    self.submit = { form, fields, location, name, templates in
      guard let form = templates.form(form, of: State.Action.self) else {
        throw Refusal(.unknown, "There is no form \u{201C}\(form)\u{201D} here. Reload the page.")
      }
      let action = try form.action(fields)
      try root.check(fields, location, store.snapshot().state)
      try store.dispatch(action: action)
      let snapshot = store.snapshot()
      let target = root.reduce(location, action, name)
      let submission = AcceptedSubmission(
        version: snapshot.version,
        name: name,
        target: target.query == location.query ? nil : target.query.text
      )
      guard root.status(action, snapshot.state) != nil else { return (submission, nil) }
      let effect = Effect(
        // Equal actions are one operation: how it stands follows from action and state.
        operation: OperationID(action, of: name)
      ) { snapshot, version in
        let snapshot = Self.snapshot(snapshot, of: store)
        // Each action's old state is the one after the action before.
        let states = snapshot.actions(since: version)?.dropFirst().map(\.oldState) ?? []
        for state in states + [snapshot.state] {
          let status = root.status(action, state) ?? .success
          if status != .waiting { return status }
        }
        return .waiting
      }
      return (submission, effect)
    }
  }

  private static func state<State, Action>(
    _ snapshot: any Sendable,
    of store: Store<State, Action>
  ) -> State {
    Self.snapshot(snapshot, of: store).state
  }

  private static func snapshot<State, Action>(
    _ snapshot: any Sendable,
    of store: Store<State, Action>
  ) -> StoreSnapshot<State, Action> {
    guard let snapshot = snapshot as? StoreSnapshot<State, Action> else {
      preconditionFailure("a page was given a snapshot of another store")
    }
    return snapshot
  }
}
