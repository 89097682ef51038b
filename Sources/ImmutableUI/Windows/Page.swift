import ImmutableData

/// A root component at a path. What can be posted there are the forms of its product.
///
/// ```swift
/// Page(Content.self, at: "/counter", title: "Counter")
/// ```
public struct Page<State: StoreState>: Sendable {
  let path: String
  let title: String
  let root: PageRoot<State>

  /// - Parameters:
  ///   - root: The component that the page shows.
  ///   - path: Starts with `/`.
  ///   - title: Of the document.
  public init<R: Root>(
    _ root: R.Type,
    at path: String,
    title: String
  ) where R.State == State {
    self.path = path
    self.title = title
    self.root = PageRoot(root, at: path)
  }
}

/// What a ``Root`` type can do, without its type.
struct PageRoot<State: StoreState>: Sendable {
  let prepare: @Sendable (TemplateSet) throws -> Void
  /// The names of parameters that only pages have.
  let lateParameters: [String]
  let locate: @Sendable (Query, WindowEnvironment) -> Location
  let normalize: @Sendable (Location, State) -> Location
  let check: @Sendable (FormFields, Location, State) throws -> Void
  let reduce: @Sendable (Location, State.Action, _ submission: String) -> Location
  let submission: @Sendable (Location) -> String?
  let settle: @Sendable (Location, EffectStatus?) -> Location
  let onAppear: @Sendable (Location, State) -> [State.Action]
  let isWaiting: @Sendable (Location, State) -> Bool
  let status: @Sendable (State.Action, State) -> EffectStatus?

  init<R: Root>(_ root: R.Type, at path: String) where R.State == State {
    let location = { @Sendable (local: R.Local) in
      Location(path: path, root: R.self, local: local)
    }
    self.prepare = { try R.prepare($0) }
    self.lateParameters = R.Local.parameters.filter(\.isLate).map(\.name)
    self.locate = { query, environment in
      var local = R.Local(query)
      local.resolve(in: environment)
      return location(local)
    }
    self.normalize = { location(R.normalize($0.local(), $1)) }
    self.check = { try R.check($0, $1.local(), $2) }
    self.reduce = { location(R.reduce($0.local(), $1, submission: $2)) }
    self.submission = { R.submission($0.local()) }
    self.settle = { location(R.settle($0.local(), $1)) }
    self.onAppear = { R.onAppear($0.local(), $1) }
    self.isWaiting = { R.isWaiting($0.local(), $1) }
    self.status = { R.status(of: $0, in: $1) }
  }
}

/// Where a window is: a page, and one value of its local state.
///
/// Windows whose locations are equal show the same.
struct Location: Sendable {
  let path: String
  /// Local state as the URL has it. Canonical: equal local states have equal queries.
  let query: Query
  private let localState: any LocalState
  let root: RegionComponent
  let overlay: Overlay

  init<R: Root>(path: String, root: R.Type, local: R.Local) {
    self.path = path
    self.query = local.query
    self.localState = local
    self.root = RegionComponent(R(local))
    self.overlay = R.overlay(local)
  }

  var url: String {
    self.query.items.isEmpty ? self.path : "\(self.path)?\(self.query.text)"
  }

  func local<Local: LocalState>() -> Local {
    guard let local = self.localState as? Local else {
      preconditionFailure("a page was given a location of another page")
    }
    return local
  }
}

extension Location: Hashable {
  static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.path == rhs.path && lhs.query == rhs.query && lhs.root == rhs.root
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(self.path)
    hasher.combine(self.query)
    hasher.combine(self.root)
  }
}
