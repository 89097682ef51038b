public import ImmutableData

/// Gives a store to the components of some pages.
///
/// ```swift
/// Provider(store) {
///   Page(Content.self, at: "/counter", title: "Counter", forms: [Content.increment])
/// }
/// ```
///
/// Source: the guide, chapter ImmutableUI, section Provider.
public struct Provider: Sendable {
  let pages: [ProvidedPage]

  /// - Parameters:
  ///   - store: What the components' selectors read and the pages' forms dispatch to.
  ///   - pages: The pages.
  public init<State: StoreState>(
    _ store: Store<State, State.Action>,
    @ProviderBuilder<Page<State>> pages: () -> [Page<State>]
  ) {
    self.pages = pages().map { ProvidedPage($0, store: store) }
  }
}

/// Collects what stands in the braces of ``Provider`` and ``WindowGroup``.
@resultBuilder public enum ProviderBuilder<Element> {
  public static func buildBlock(_ elements: [Element]...) -> [Element] {
    elements.flatMap(\.self)
  }

  public static func buildExpression(_ element: Element) -> [Element] {
    [element]
  }

  public static func buildExpression(_ elements: [Element]) -> [Element] {
    elements
  }

  public static func buildOptional(_ elements: [Element]?) -> [Element] {
    elements ?? []
  }
}

/// A page with its store, without their types.
struct ProvidedPage: Sendable {
  let path: String
  let title: String
  let store: StoreSource
  let locate: @Sendable (Query) -> Location
  let normalize: @Sendable (Query, any Sendable) -> Location
  let prepare: @Sendable (TemplateSet) throws -> Void
  /// Makes the action of a form and dispatches it.
  ///
  /// - Returns: The store's version with the action.
  /// - Throws: ``Refusal``; the state is unchanged.
  let submit: @MainActor @Sendable (_ form: String, FormFields) throws -> UInt64

  init<State: StoreState>(_ page: Page<State>, store: Store<State, State.Action>) {
    self.path = page.path
    self.title = page.title
    self.store = StoreSource(store)
    self.locate = page.locate
    self.normalize = { query, snapshot in
      guard let snapshot = snapshot as? StoreSnapshot<State, State.Action> else {
        preconditionFailure("a page was given a snapshot of another store")
      }
      return page.normalize(query, snapshot.state)
    }
    self.prepare = page.prepare
    self.submit = { name, fields in
      guard let form = page.forms[name] else {
        throw Refusal(.unknown, "There is no form \u{201C}\(name)\u{201D} here. Reload the page.")
      }
      do {
        try store.dispatch(action: try form.action(fields))
      } catch {
        throw Refusal(error)
      }
      return store.snapshot().version
    }
  }
}
