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
    var random = RandomActions(generator: SeededGenerator(seed: seed))
    let store = ImmutableData.Store(
      initialState: AnimalsState(), reducer: AnimalsReducer.reduceOrRefuse)
    let app = try TestApp(templates: .project) { Provider(store) { AnimalsUI.Content.page() } }
    for action in random.firstAnimals() { try store.dispatch(action: action) }

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
    var random = RandomActions(generator: SeededGenerator(seed: seed))
    let store = ImmutableData.Store(initialState: QuakesState(), reducer: QuakesReducer.reduce)
    let app = try TestApp(templates: .project) { Provider(store) { QuakesUI.Content.page() } }
    try store.dispatch(action: random.firstQuakes())

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
