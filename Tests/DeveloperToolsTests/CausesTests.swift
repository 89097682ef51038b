import AnimalsData
import AnimalsUI
import Foundation
import HTMLTemplates
import ImmutableData
import ImmutableRuntime
import ImmutableUI
import QuakesData
import QuakesUI
import TestSupport
import Testing
import WindowTesting

/// What the developer pages say an action did to a page, and what the frame counted: for random actions on the
/// products' own pages.
@MainActor struct CausesTests {
  private static let environment = WindowEnvironment(
    timeZone: .gmt, date: .noon, visitor: Visitor(rawValue: "a visitor"))

  @Test(
    arguments: [
      "/animals", "/animals?category=x", "/animals/a?category=x", "/animals?favorites=true",
      "/animals?category=x&search=one",
    ], 1...4 as ClosedRange<UInt64>)
  func `the causes of actions on animals agree with the frame's counters`(
    url: String, seed: UInt64
  ) async throws {
    var random = Random(generator: SeededGenerator(seed: seed))
    let store = ImmutableData.Store(
      initialState: AnimalsState(), reducer: AnimalsReducer.reduceOrRefuse)
    let app = try TestApp(templates: .project) { Provider(store) { AnimalsUI.Content.page() } }
    let categories = ["x", "y"].map { AnimalsData.Category(categoryId: $0, name: $0) }
    let first = ["a", "b", "c", "d"].map { random.animal($0) }
    let actions: [AnimalsAction] = [
      .did(.didFetchCategories(result: .success(categories: categories))),
      .did(.didFetchAnimals(result: .success(animals: first))),
    ]
    for action in actions { try store.dispatch(action: action) }

    try await self.expectAgreement(app, store, "AnimalsState", url) { random.animalsAction() }
  }

  @Test(
    arguments: [
      "/quakes", "/quakes?magnitude=2.5", "/quakes?order=forward&sort=magnitude",
      "/quakes?charts=true", "/quakes?search=a",
    ], 1...4 as ClosedRange<UInt64>)
  func `the causes of actions on earthquakes agree with the frame's counters`(
    url: String, seed: UInt64
  ) async throws {
    var random = Random(generator: SeededGenerator(seed: seed))
    let store = ImmutableData.Store(initialState: QuakesState(), reducer: QuakesReducer.reduce)
    let app = try TestApp(templates: .project) { Provider(store) { QuakesUI.Content.page() } }
    let first = random.quakes()
    try store.dispatch(action: .local(.didFetchQuakes(result: .success(quakes: first))))

    try await self.expectAgreement(app, store, "QuakesState", url) { random.quakesAction() }
  }

  private func expectAgreement<State: StoreState>(
    _ app: TestApp,
    _ store: ImmutableData.Store<State, State.Action>,
    _ product: String,
    _ url: String,
    _ next: () -> State.Action
  ) async throws {
    _ = try await app.open(url, environment: Self.environment)
    var rendered = 0
    for _ in 1...25 {
      let action = next()
      try await app.frame()
      let (old, before) = (store.snapshot().state, app.windows.counts)
      guard (try? store.dispatch(action: action)) != nil else { continue }
      try await app.frame()
      let counts = app.windows.counts - before
      let dispatch = Dispatch<any Sendable, any Sendable>(
        action: action, origin: nil, oldState: old, result: .success(store.snapshot().state),
        version: 1, duration: .zero)
      let causes = try #require(
        app.windows.causes(
          url, of: ProductDispatch(product: product, dispatch: dispatch),
          environment: Self.environment))

      let renders = causes.count { $0.change != .disappeared && $0.duration != nil }
      #expect(renders == counts.regionRenders, "\(action): \(causes)")
      let selectors = Set(causes.flatMap(\.selectors).map { Read($0) })
      #expect(selectors.count(where: \.hasRun) == counts.outputRuns, "\(action): \(selectors)")
      rendered += renders
    }
    #expect(rendered > 0)
  }

  /// What a selector did. Several regions may read it.
  private struct Read: Hashable {
    let label: String?
    let position: String
    let outcome: SelectorCause.Outcome
    let isOfTable: Bool

    init(_ cause: SelectorCause) {
      self.label = cause.label
      self.position = cause.position
      self.outcome = cause.outcome
      self.isOfTable = cause.rows != nil
    }

    /// Whether it counts as a run: of a table only if its output is another one.
    var hasRun: Bool {
      switch self.outcome {
      case .changed, .appeared: true
      case .sameOutput: self.isOfTable == false
      case .refused, .sameDependencies: false
      }
    }
  }
}

extension Date {
  fileprivate static let noon = Date(timeIntervalSince1970: 1_518_004_800)
}

extension AnimalsAction {
  fileprivate static func did(_ action: Data.PersistentSession) -> Self {
    .data(.persistentSession(action))
  }
}

extension QuakesAction {
  fileprivate static func local(_ action: Data.PersistentSession.LocalStore) -> Self {
    .data(.persistentSession(.localStore(action)))
  }
}

private struct Random {
  var generator: SeededGenerator

  private mutating func element<Element>(_ elements: [Element]) -> Element {
    elements.randomElement(using: &self.generator)!
  }

  private mutating func id() -> String { self.element(["a", "b", "c", "d", "e"]) }

  mutating func animal(_ id: String) -> Animal {
    Animal(
      animalId: id, name: self.element(["one", "two", "three"]),
      diet: self.element(Animal.Diet.allCases), categoryId: self.element(["x", "y"]))
  }

  mutating func animalsAction() -> AnimalsAction {
    let id = self.id()
    let animal = self.animal(id)
    return self.element([
      .ui(.animalList(.onAppear)),
      .ui(.animalList(.onTapDeleteSelectedAnimalButton(animalId: id))),
      .ui(.animalList(.onTapFavoriteButton(animalId: id, isFavorite: true))),
      .ui(.animalList(.onTapDismissFailureButton)),
      .ui(
        .animalEditor(
          .onTapUpdateAnimalButton(
            animalId: id, name: animal.name, diet: animal.diet, categoryId: animal.categoryId))),
      .did(.didFetchAnimals(result: .success(animals: [animal]))),
      .did(.didFetchAnimals(result: .failure(error: "now"))),
      .did(.didFetchCategories(result: .failure(error: "now"))),
      .did(.didAddAnimal(id: id, result: .success(animal: animal))),
      .did(.didUpdateAnimal(animalId: id, result: .success(animal: animal))),
      .did(.didUpdateAnimal(animalId: id, result: .failure(error: "now"))),
      .did(.didDeleteAnimal(animalId: id, result: .success(animal: animal))),
    ])
  }

  mutating func quakes() -> [Quake] {
    (0..<Int.random(in: 1...4, using: &self.generator)).map { _ in
      Quake(
        quakeId: self.id(), magnitude: self.element([-1, 0, 0.1, 3, 5]),
        time: .noon - TimeInterval(self.element([0, 60, 3_600, 90_000])),
        updated: .noon + TimeInterval(self.element([0, 1, 2])), name: self.element(["a", "b"]),
        longitude: 10, latitude: 20)
    }
  }

  mutating func quakesAction() -> QuakesAction {
    let (id, quakes) = (self.id(), self.quakes())
    return self.element([
      .ui(.quakeList(.onAppear)),
      .ui(.quakeList(.onTapRefreshQuakesButton(range: .allDay))),
      .ui(.quakeList(.onTapDeleteSelectedQuakeButton(quakeId: id))),
      .ui(.quakeList(.onTapDeleteAllQuakesButton)),
      .local(.didFetchQuakes(result: .success(quakes: quakes))),
      .local(.didFetchQuakes(result: .failure(error: "now"))),
      .data(.persistentSession(.remoteStore(.didFetchQuakes(result: .success(quakes: quakes))))),
      .data(.persistentSession(.remoteStore(.didFetchQuakes(result: .failure(error: "now"))))),
    ])
  }
}
