import ImmutableData

/// A root component at a path, with the forms that can be posted there.
///
/// ```swift
/// Page(Content.self, at: "/counter", title: "Counter", forms: [Content.increment])
/// ```
public struct Page<State: StoreState>: Sendable {
  let path: String
  let title: String
  let forms: [String: Form<State.Action>]
  let root: PageRoot<State>

  /// - Parameters:
  ///   - root: The component that the page shows.
  ///   - path: Starts with `/`.
  ///   - title: Of the document.
  ///   - forms: All that can be posted there; names are unique.
  public init<R: Root>(
    _ root: R.Type,
    at path: String,
    title: String,
    forms: [Form<State.Action>] = []
  ) where R.State == State {
    self.path = path
    self.title = title
    self.forms = Dictionary(uniqueKeysWithValues: forms.map { ($0.name, $0) })
    self.root = PageRoot(root, at: path)
  }
}

/// What a ``Root`` type can do, without its type: local state is a URL's query here.
struct PageRoot<State: StoreState>: Sendable {
  let prepare: @Sendable (TemplateSet) throws -> Void
  let locate: @Sendable (Query) -> Location
  let normalize: @Sendable (Query, State) -> Location
  let reduce: @Sendable (Query, State.Action) -> Query
  let onAppear: @Sendable (Query, State) -> [State.Action]
  let isWaiting: @Sendable (Query, State) -> Bool
  let status: @Sendable (State.Action, State) -> EffectStatus?
  let submission: @Sendable (Query) -> String?

  init<R: Root>(_ root: R.Type, at path: String) where R.State == State {
    self.prepare = { try R.prepare($0) }
    self.locate = { Location(path: path, root: R.self, local: R.Local($0)) }
    self.normalize = { query, state in
      Location(path: path, root: R.self, local: R.normalize(R.Local(query), state))
    }
    self.reduce = { R.reduce(R.Local($0), $1).query }
    self.onAppear = { R.onAppear(R.Local($0), $1) }
    self.isWaiting = { R.isWaiting(R.Local($0), $1) }
    self.status = { R.status(of: $0, in: $1) }
    self.submission = { R.submission(R.Local($0)) }
  }
}

/// Where a window is: a page, and one value of its local state, in the form that the URL has it.
struct Location: Sendable {
  let path: String
  /// Canonical: equal local states have equal queries.
  let query: Query
  let root: RegionComponent
  let overlay: Overlay

  init<R: Root>(path: String, root: R.Type, local: R.Local) {
    self.path = path
    self.query = local.query
    self.root = RegionComponent(R(local))
    self.overlay = R.overlay(local)
  }

  var url: String {
    self.query.items.isEmpty ? self.path : "\(self.path)?\(self.query.text)"
  }
}
