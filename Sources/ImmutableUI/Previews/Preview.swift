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
    self.init(name, in: store, change) { store, local in
      Scene(
        store: store,
        local: local,
        root: RegionComponent(PreviewRegion(name: name, content: content(local.withoutLate)))
      )
    }
  }

  /// - Parameter scene: Makes the scene from the store and the local state.
  private init<State: StoreState, Local: LocalState>(
    _ name: String,
    in store: @escaping @Sendable (Local) -> PreviewStore<State>,
    _ change: @escaping @Sendable (inout Local) -> Void,
    scene: @escaping @Sendable (PreviewStore<State>, Local) -> Scene<State, Local>
  ) {
    self.name = name
    self.scene = { query in
      var local = query.map { Local($0) } ?? Local()
      if query == nil { change(&local) }
      let store = store(local)
      try store.requireAccepted()
      local.resolve(in: store.environment)
      return scene(store, local)
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
    self.init(
      name,
      in: { _ in store() },
      change,
      scene: { store, local in
        let local = Content.normalize(local, store.state)
        return Scene(
          store: store,
          local: local,
          root: RegionComponent(Content(local.withoutLate)),
          overlay: Content.overlay(local)
        )
      }
    )
  }
}
