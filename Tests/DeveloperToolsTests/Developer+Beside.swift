import HTMLTemplates
import ImmutableData
import ImmutableUI
import WindowTesting

@testable import DeveloperTools

extension Developer {
  /// The developer pages beside the pages of a store, which they record, and what shows both.
  static func beside<State: StoreState>(
    _ store: ImmutableData.Store<State, State.Action>,
    @PageBuilder<State> pages: () -> PageBuilder<State>.Pages
  ) async throws -> (app: TestApp, developer: Developer) {
    let (developer, provider) = (Developer(store), Provider(store, pages: pages))
    let app = try TestApp(templates: .project) {
      provider
      developer.provider
    }
    await developer.follow(app.windows)
    return (app, developer)
  }
}
