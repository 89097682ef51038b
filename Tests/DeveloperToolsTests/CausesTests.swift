import AnimalsData
import AnimalsUI
import Foundation
import HTMLTemplates
import ImmutableData
import ImmutableRuntime
import ImmutableUI
import QuakesData
import QuakesUI
import Synchronization
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
      "/animals", "/animals?category=x", "/animals?favorites=true",
      "/animals?category=x&search=one",
    ], 1...2 as ClosedRange<UInt64>)
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
    ], 1...2 as ClosedRange<UInt64>)
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
    let frames = Mutex<[FrameCost]>([])
    app.windows.measureFrames(except: "") { frame in frames.withLock { $0.append(frame) } }
    _ = try await app.open(url, environment: Self.environment)
    var (rendered, changed) = (0, 0)
    for _ in 1...15 {
      let action = next()
      try await app.frame()
      frames.withLock { $0 = [] }
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

      let (reported, made) = (Reported(causes), Made(frames.withLock { $0 }))
      #expect(made.renders == reported.renders, "\(action): \(causes)")
      #expect(reported.renders.values.reduce(0, +) == counts.regionRenders, "\(action): \(causes)")
      #expect(made.differences(from: reported) == [], "\(action): \(causes)")
      // A frame also runs selectors that no region reads, such as that of the title.
      #expect(reported.runs <= counts.outputRuns, "\(action): \(causes)")
      rendered += counts.regionRenders
      changed += reported.changes.values.reduce(0, +)
    }
    #expect(rendered > 0)
    #expect(changed > 0)
  }
}

/// A region's name, and the name of its component.
private struct RegionRender: Hashable {
  let region: String?
  let component: String?
}

/// A selector without what its label has in parentheses, and where it is declared. Several selectors
/// can have the same.
private struct Declaration: Hashable {
  let name: String
  let position: String

  init(_ label: String, _ position: String) {
    self.name = String(label.prefix { $0 != "(" })
    self.position = position
  }
}

/// What the developer pages say.
private struct Reported {
  var renders: [RegionRender: Int] = [:]
  /// The selectors that ran, at least: of a table only those that have another output.
  var runs = 0
  /// The selectors that have another output.
  var changes: [Declaration: Int] = [:]
  /// The selectors that only regions read which did not exist before. A frame may know them still.
  var appearances: [Declaration: Int] = [:]

  init(_ causes: [RegionCause]) {
    for cause in causes where cause.change != .disappeared && cause.duration != nil {
      self.renders[RegionRender(region: cause.name, component: cause.component), default: 0] += 1
    }
    // Several regions may read the same.
    let selectors = Dictionary(grouping: causes.flatMap(\.selectors)) {
      [$0.label ?? $0.position, $0.position]
    }
    for (key, selectors) in selectors {
      let declaration = Declaration(key[0], key[1])
      if selectors.contains(where: { $0.outcome == .changed }) {
        self.changes[declaration, default: 0] += 1
      } else if selectors.allSatisfy({ $0.outcome == .appeared }) {
        self.appearances[declaration, default: 0] += 1
      }
      if selectors.contains(where: \.hasRun) { self.runs += 1 }
    }
  }
}

/// What frames have done.
private struct Made {
  var renders: [RegionRender: Int] = [:]
  /// The selectors that have another output, and those of them that a region of the page reads.
  private var changes: [Declaration: Int] = [:]
  private var changesOfPage: [Declaration: Int] = [:]

  init(_ frames: [FrameCost]) {
    for part in frames.flatMap(\.parts) {
      let subject = part.subject
      switch subject.phase {
      case .render:
        self.renders[RegionRender(region: subject.region, component: subject.name), default: 0] +=
          part.runs
      case .select:
        let declaration = Declaration(subject.name ?? "", subject.position ?? "")
        self.changes[declaration, default: 0] += part.changes
        if subject.page != nil { self.changesOfPage[declaration, default: 0] += part.changes }
      case .reduce, .difference, .write: break
      }
    }
  }

  /// The selectors that have another output and are not reported to have one, and the other way around.
  func differences(from reported: Reported) -> [String] {
    Set(self.changes.keys).union(reported.changes.keys).compactMap { declaration in
      let least = reported.changes[declaration] ?? 0
      let most = least + (reported.appearances[declaration] ?? 0)
      let all = self.changes[declaration] ?? 0
      let shown = self.changesOfPage[declaration] ?? 0
      guard all < least || shown > most else { return nil }
      return "\(declaration): \(shown) to \(all) in the frame, \(least) to \(most) reported"
    }
  }
}

extension SelectorCause {
  /// Whether it counts as a run: of a table only if its output is another one.
  fileprivate var hasRun: Bool {
    switch self.outcome {
    case .changed, .appeared: true
    case .sameOutput: self.rows == nil
    case .refused, .sameDependencies: false
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
