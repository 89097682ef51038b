import AnimalsData
import AnimalsUI
import HTMLTemplates
import ImmutableData
import ImmutableUI
import Testing
import WindowTesting

@testable import ImmutableRuntime

/// Content that no window shows, in one state after another.
@MainActor struct StillRendererTests {
  private let store = ImmutableData.Store(
    initialState: AnimalsState(), reducer: AnimalsReducer.reduceOrRefuse)
  private let templates: TemplateSet

  init() throws {
    let store = self.store
    let app = try TestApp(templates: .project) { Provider(store) { AnimalsUI.Content.page() } }
    self.templates = try #require(app.windows.allProducts.first).templates.get()
  }

  private func renderer(
    in state: AnimalsState,
    counters: FrameCounters = FrameCounters()
  ) -> StillRenderer<AnimalsState> {
    StillRenderer(in: state, templates: self.templates, counters: counters)
  }

  private func root(_ items: [QueryItem] = [], in state: AnimalsState) -> RegionComponent {
    AnimalsUI.Content.page().location(Query(items), WindowEnvironment()).normalized(in: state).root
  }

  /// The states after animals have been fetched, and after each of some has got another name.
  private func states(animals count: Int, renames: Int) throws -> [AnimalsState] {
    let animals = (0..<count).map { number in
      Animal(animalId: "\(number)", name: "Animal \(number)", diet: .herbivorous, categoryId: "x")
    }
    let category = AnimalsData.Category(categoryId: "x", name: "Mammal")
    var actions: [AnimalsAction] = [
      .did(.didFetchCategories(result: .success(categories: [category]))),
      .did(.didFetchAnimals(result: .success(animals: animals))),
    ]
    for animal in animals.prefix(renames) {
      let renamed = Animal(
        animalId: animal.id, name: "\(animal.name) B", diet: .herbivorous, categoryId: "x")
      actions.append(.did(.didUpdateAnimal(animalId: animal.id, result: .success(animal: renamed))))
    }
    let states = try actions.map { action in
      try self.store.dispatch(action: action)
      return self.store.snapshot().state
    }
    return Array(states.suffix(1 + renames))
  }

  private func tags(_ regions: [(name: String, region: Region)]) -> [String: ImmutableUI.Tag] {
    Dictionary(regions.map { ($0.name, $0.region.rendered.tag) }) { first, _ in first }
  }

  @Test func `moving to another state, older or newer, renders only the rows that differ`() throws {
    let states = try self.states(animals: 100, renames: 5)
    let counters = FrameCounters()
    let renderer = self.renderer(in: states[0], counters: counters)
    _ = renderer.regions(of: self.root(in: states[0]))
    let first = counters.rowRenders.value

    for state in states + states.reversed() {
      renderer.move(to: state)
      let moved = renderer.regions(of: self.root(in: state))

      let fresh = self.renderer(in: state).regions(of: self.root(in: state))
      #expect(self.tags(moved) == self.tags(fresh))
    }

    #expect(first >= 100)
    #expect(counters.rowRenders.value - first == 2 * 5)
  }

  @Test func `renders that nobody asks for are discarded after ten seconds`() throws {
    let state = try #require(try self.states(animals: 1, renames: 0).first)
    let renderer = self.renderer(in: state)
    _ = renderer.regions(of: self.root(in: state))

    #expect(renderer.expire(.now) == false)
    #expect(renderer.expire(.now + .seconds(11)))
  }

  @Test func `it is full when it has shown many pages`() throws {
    let state = try #require(try self.states(animals: 1, renames: 0).first)
    let renderer = self.renderer(in: state)
    _ = renderer.regions(of: self.root(in: state))
    let wasFull = renderer.isFull

    for number in 1...128 {
      let search = [
        QueryItem(name: "all", value: "true"), QueryItem(name: "search", value: "\(number)"),
      ]
      _ = renderer.regions(of: self.root(search, in: state))
    }

    #expect(wasFull == false)
    #expect(renderer.isFull)
  }
}
