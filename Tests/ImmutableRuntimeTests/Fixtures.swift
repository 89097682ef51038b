import Fixture
import Foundation
import HTMLTemplates
import ImmutableData
import ImmutableRuntime
import ImmutableUI
import WindowTesting

extension TemplateLibrary {
  /// The templates of the fixture product.
  static var fixture: TemplateLibrary {
    TemplateLibrary(
      directory: URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fixture/Templates").path
    )
  }
}

extension [Item] {
  static func make(_ names: String...) -> [Item] {
    names.map { Item(id: $0.lowercased(), name: $0) }
  }
}

@MainActor struct FixtureApp {
  let store: Store<FixtureState, FixtureAction>
  let app: TestApp

  init(
    _ items: [Item] = .make("Ant", "Bee", "Cat"),
    configuration: WindowGroup.Configuration = WindowGroup.Configuration()
  ) throws {
    let store = Store(
      initialState: FixtureState(items: items),
      reducer: FixtureReducer.reduce
    )
    self.store = store
    self.app = try TestApp(templates: .fixture, configuration: configuration) {
      Provider(store) { FixtureContent.page }
    }
  }
}
