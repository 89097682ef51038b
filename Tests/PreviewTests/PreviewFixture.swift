import AnimalsData
import AnimalsUI
import CounterData
import CounterUI
import DeveloperTools
import Foundation
import HTMLTemplates
import ImmutableData
import ImmutableRuntime
import ImmutableUI
import Logging
import QuakesData
import QuakesUI
import WindowTesting

/// All products, with the developer pages.
@MainActor struct PreviewFixture {
  /// The modules whose components all have previews.
  nonisolated static let modules: Set<String> = [
    "AnimalsUI", "CounterUI", "DeveloperTools", "QuakesUI",
  ]

  let app: TestApp
  let developer: Developer

  init() async throws {
    let counter = Store(initialState: CounterState(), reducer: CounterReducer.reduceOrRefuse)
    let animals = Store(
      initialState: AnimalsState(), reducer: AnimalsReducer.reduceOrRefuse)
    let quakes = Store(initialState: QuakesState(), reducer: QuakesReducer.reduce)
    let developer = Developer(counter, dispatchLogger: Logger(label: "test"))
    self.app = try TestApp(templates: TemplateLibrary(directory: "Templates")) {
      Provider(counter) { CounterUI.Content.page() }
      Provider(animals) { AnimalsUI.Content.page() }
      Provider(quakes) { QuakesUI.Content.page() }
      developer.provider
    }
    self.developer = developer
    await developer.follow(self.app.windows)
    // Their own components are known from then on.
    _ = try self.html("/previews")
  }

  /// The page at a URL of previews.
  func html(_ url: String) throws -> String {
    let parts = url.split(separator: "?", maxSplits: 1)
    guard
      let page = try self.developer.pages.preview(
        String(parts[0]), Query(parts.dropFirst().first ?? ""))
    else { throw CocoaError(.fileNoSuchFile) }
    return String(decoding: page.html, as: UTF8.self)
  }
}
