import AnimalsData
import AnimalsUI
import Foundation
import HTMLTemplates
import ImmutableData
import ImmutableRuntime
import ImmutableUI
import WindowTesting

/// The catalog on a store in memory.
struct AnimalsFixture {
  let memory: MemoryStore
  let store: Store<AnimalsState, AnimalsAction>
  let listener: AnimalsData.Listener<MemoryStore>
  let app: TestApp

  init(
    _ memory: MemoryStore = MemoryStore(),
    appearTimeout: Duration = .seconds(60),
    backlog: Int = 1_000
  ) async throws {
    let store = await Store(initialState: AnimalsState(), reducer: AnimalsReducer.reduceOrRefuse)
    let lanes = EffectLanes()
    self.memory = memory
    self.store = store
    self.listener = await AnimalsData.Listener(store: memory, lanes: lanes)
    await self.listener.listen(to: store)
    var configuration = WindowGroup.Configuration()
    configuration.appearTimeout = appearTimeout
    configuration.backlog = backlog
    self.app = try TestApp(
      templates: TemplateLibrary(directory: "Templates"),
      configuration: configuration
    ) {
      Provider(store, effects: lanes) { Content.page() }
    }
  }

  func open(_ query: String = "", session: Identifier = Identifier()) async throws -> TestWindow {
    try await self.app.open("/animals\(query)", session: session)
  }
}
