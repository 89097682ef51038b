import ImmutableData

/// A component with a sample state, which shows one of its possible appearances.
///
/// A preview of a root, or of another component that is made from local state, has local state too.
/// Its links and GET forms work: they lead to the same preview with other local state.
///
/// ```swift
/// Preview("A category", in: .sample, AnimalList.init) { $0.selectedCategoryId = "Mammal" }
/// ```
public struct Preview<Content: Previewed>: Sendable {
  /// Its name for people, which says what is special about it. Unique among the previews of its
  /// component.
  public let name: String
  /// The scene for a query; with `nil`, the declared scene.
  let scene: @Sendable (Query?) throws -> any PreviewScene

  /// A component that is made without local state.
  ///
  /// - Parameters:
  ///   - name: What is special about it; unique among those of the component.
  ///   - store: What its selectors read; made when the preview is shown.
  ///   - content: Makes it; `nil` shows nothing.
  public init<State: StoreState>(
    _ name: String,
    in store: @autoclosure @escaping @Sendable () -> PreviewStore<State>,
    _ content: @escaping @Sendable () -> Content?
  ) {
    self.init(name, in: { _ in store() }, { (_: NoLocalState) in content() })
  }

  /// A component that is made from local state.
  ///
  /// - Parameters:
  ///   - name: What is special about it; unique among those of the component.
  ///   - store: What its selectors read; made when the preview is shown.
  ///   - content: Makes it; `nil` shows nothing.
  ///   - change: Sets what differs in the local state from its defaults.
  public init<State: StoreState, Local: LocalState>(
    _ name: String,
    in store: @autoclosure @escaping @Sendable () -> PreviewStore<State>,
    _ content: @escaping @Sendable (Local) -> Content?,
    change: @escaping @Sendable (inout Local) -> Void = { _ in }
  ) {
    self.init(name, in: { _ in store() }, content, change: change)
  }

  /// A component whose state depends on inputs. The inputs are a ``LocalState`` of the preview.
  ///
  /// - Parameters:
  ///   - name: What is special about it; unique among those of the component.
  ///   - store: Makes what its selectors read.
  ///   - content: Makes it; `nil` shows nothing.
  ///   - change: Sets what differs in the local state from its defaults.
  public init<State: StoreState, Local: LocalState>(
    _ name: String,
    in store: @escaping @Sendable (Local) -> PreviewStore<State>,
    _ content: @escaping @Sendable (Local) -> Content?,
    change: @escaping @Sendable (inout Local) -> Void = { _ in }
  ) {
    self.name = name
    self.scene = { query in
      let local = Local.ofPreview(query, change)
      let store = store(local)
      try store.requireAccepted()
      let resolved = local.resolved(in: store.environment)
      return Scene(
        store: store,
        local: resolved,
        root: RegionComponent(PreviewRegion(name: name, content: content(resolved.withoutLate)))
      )
    }
  }
}

extension Preview where Content: Root {
  /// A page's root.
  ///
  /// - Parameters:
  ///   - name: What is special about it; unique among those of the component.
  ///   - store: What its selectors read; made when the preview is shown.
  ///   - change: Sets what differs in the local state from its defaults.
  public init(
    _ name: String,
    in store: @autoclosure @escaping @Sendable () -> PreviewStore<Content.State>,
    _ change: @escaping @Sendable (inout Content.Local) -> Void = { _ in }
  ) {
    self.name = name
    self.scene = { query in
      let store = store()
      try store.requireAccepted()
      let local = Content.normalize(
        Content.Local.ofPreview(query, change).resolved(in: store.environment), store.state)
      return Scene(
        store: store,
        local: local,
        root: RegionComponent(root: Content(local.withoutLate)),
        overlay: Content.overlay(local)
      )
    }
  }
}

extension LocalState {
  /// - Parameters:
  ///   - query: The query of a preview's URL; `nil` for the declared local state.
  ///   - change: Makes the declared local state.
  fileprivate static func ofPreview(_ query: Query?, _ change: (inout Self) -> Void) -> Self {
    if let query { return Self(query) }
    var local = Self()
    change(&local)
    return local
  }

  fileprivate func resolved(in environment: WindowEnvironment) -> Self {
    var local = self
    local.resolve(in: environment)
    return local
  }
}
