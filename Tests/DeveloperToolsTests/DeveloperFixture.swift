import CounterData
import CounterUI
import Foundation
import HTMLTemplates
import ImmutableData
import ImmutableRuntime
import ImmutableUI
import Logging
import WindowTesting

@testable import DeveloperTools

/// The developer pages beside a counter that is a part of a store.
@MainActor struct DeveloperFixture {
  struct Whole: Sendable {
    var counter = CounterState()
  }

  enum WholeAction: Sendable {
    case counter(CounterAction)
  }

  let store: ImmutableData.Store<Whole, WholeAction>
  let app: TestApp
  let developer: Developer

  /// - Parameter dispatches: Whether developers may do what visitors notice.
  init(_ value: Int = 0, dispatches: Bool = true) async throws {
    let store = ImmutableData.Store<Whole, WholeAction>(
      initialState: Whole(counter: CounterState(value)),
      reducer: Reducer(CounterReducer.reduceOrRefuse)
        .pullback(state: \Whole.counter, action: WholeAction.counter) { action in
          if case .counter(let action) = action { action } else { nil }
        }
    )
    let counter = store.scope(
      state: { $0.counter },
      action: { WholeAction.counter($0) },
      extract: { action in if case .counter(let action) = action { action } else { nil } }
    )
    let developer = Developer(
      store, dispatchLogger: dispatches ? Logger(label: "test") : nil)
    self.app = try TestApp(templates: .project) {
      Provider(counter) { CounterUI.Content.page() }
      developer.provider
    }
    self.store = store
    self.developer = developer
    await developer.follow(self.app.windows)
  }

  var state: DeveloperState { self.developer.store.snapshot().state }

  /// Waits until something holds of what the developer pages know.
  func wait(until holds: (DeveloperState) -> Bool) async {
    await self.developer.wait(until: holds)
  }

  /// Posts forms of a window, and waits until each is recorded.
  ///
  /// - Returns: All that is recorded, the oldest first.
  @discardableResult
  func submit(_ forms: String..., to window: TestWindow) async throws -> [Entry] {
    let count = self.state.newest + forms.count
    for form in forms { try await window.submit(form) }
    await self.wait { $0.newest == count }
    return Array(self.state.entries(of: nil)).reversed()
  }

  /// The HTML of a page of the past or of a fork; `nil` if nobody knows it.
  func past(_ items: KeyValuePairs<String, String>) async -> String? {
    let query = Query(items.map { QueryItem(name: $0.key, value: $0.value) })
    return await self.developer.pages.page(query, WindowEnvironment())
      .map { String(decoding: $0.html, as: UTF8.self) }
  }
}
