import Foundation
import ImmutableData
import ImmutableRuntime
import ImmutableUI

// Sample states of the developer pages, for a sample product whose state is a number.
extension PreviewStore<DeveloperState> {
  /// Nothing recorded yet.
  static var empty: Self { PreviewStore(DeveloperState()) }

  /// Two actions, a refusal, and three windows.
  static var recorded: Self { Self.recorded(decode: nil) }

  /// The same, but actions can be dispatched by hand.
  static var dispatching: Self { Self.recorded { _, _ in nil } }

  /// The same, but the product has refused the action.
  static var dispatchRefused: Self {
    Self.dispatching.after(
      [.recorder(.didDispatch(id: "one", error: "Sample refused it: It cannot go any further."))],
      DeveloperReducer.reduce
    )
  }

  private static func recorded(
    decode: InspectedProgram.Decode?
  ) -> Self {
    PreviewStore(
      DeveloperState(
        InspectedProgram(
          productOfPage: { $0 == "/nowhere" ? nil : "Sample" },
          causes: { _, entry, _ in entry.refusal == nil ? RegionCause.samples : nil },
          tag: { _, region, state, _ in
            var hasher = TagHasher()
            hasher.combine(region == "number" ? "\(state)" : "")
            return hasher.finalize()
          },
          decode: decode,
          reduce: SampleState.reduce
        )),
      after: [
        .recorder(.didBegin(states: ["Sample": SampleState(), "Other": 0])),
        .recorder(
          .didRecord([
            .visit(.sample(.opens, 0)), .visit(.sample(.joins, 0.1)), .action(.sample(1)),
            .visit(.sample(.posts(form: "increment", refusal: nil), 1.1)), .action(.sample(2)),
            .visit(.sample(.navigates, 2.1)), .action(.refused(3)),
            .visit(.sample(.posts(form: "increment", refusal: "It cannot go any further."), 3.1)),
          ])),
        .recorder(
          .didSeeWindows(
            [.sample(1, "/animals/Dog"), .sample(2, "/counter"), .sample(3, "/counter")],
            slowed: []
          )),
        .recorder(
          .didRecord([
            .frame(.sample(1), at: WindowEnvironment.preview.date),
            .frame(.sample(2), at: WindowEnvironment.preview.date),
          ])),
      ],
      DeveloperReducer.reduce
    )
  }

  /// The same, but everything is put back.
  static var past: Self {
    Self.dispatching.after(
      [.recorder(.didRecord([.action(.effect(4, of: 2))])), .ui(.onTapGoBackButton(entry: 1))],
      DeveloperReducer.reduce
    )
  }

  /// The same, but with a simulated network for a browser.
  static var slowed: Self {
    Self.dispatching.after(
      [
        .recorder(
          .didSeeWindows(
            Self.dispatching.state.windows,
            slowed: [
              SlowedBrowser(
                id: .browser, conditions: NetworkConditions(latency: 500, loss: 5, seed: 1))
            ]
          ))
      ],
      DeveloperReducer.reduce
    )
  }

  /// The same, but the recording to a file has stopped.
  static var stopped: Self {
    let end = RecordingEnd(
      reason: "the recording has reached its limit", time: WindowEnvironment.preview.date)
    return Self.recorded.after([.recorder(.didStopRecording(end))], DeveloperReducer.reduce)
  }

  /// The same, from a file.
  static func loaded(isRisky: Bool = false) -> Self {
    var recording = LoadedRecording(name: "recording.jsonl", isRisky: isRisky)
    for seconds in 0..<3 {
      recording.add(WindowEnvironment.preview.date.addingTimeInterval(Double(seconds)))
    }
    return Self.recorded.after([.recorder(.didLoad(recording))], DeveloperReducer.reduce)
  }

  /// Nothing is recorded now.
  static var paused: Self {
    Self.recorded.after([.ui(.onTapPauseButton)], DeveloperReducer.reduce)
  }
}

extension String {
  /// The name of a browser that has a window.
  static let browser = "3f9c21aa04b7"
}

private struct SampleState: Sendable {
  var value = 0
  var name = "Sample"
  var numbers = Array(0..<250)

  /// Refuses to count further than two, and to rename something that does not exist.
  @Sendable static func reduce(
    _ state: any Sendable, _ action: any Sendable
  ) throws -> any Sendable {
    guard var sample = state as? Self, let action = action as? SampleAction else { return state }
    switch action {
    case .didTapIncrementButton:
      guard sample.value < 2 else { throw SampleRefusal() }
      sample.value += 1
    case .didRename(let name):
      guard sample.value > 0 else { throw SampleRefusal() }
      sample.name = name
    }
    return sample
  }
}

private enum SampleAction: Codable, Sendable {
  case didTapIncrementButton
  case didRename(name: String)
}

private struct SampleRefusal: Error, CustomStringConvertible {
  let description = "It cannot go any further."
}

extension Recorded {
  fileprivate static func sample(_ number: Int) -> Self {
    Self.make(
      number,
      number.isMultiple(of: 2) ? .didRename(name: "Number \(number)") : .didTapIncrementButton,
      .success(SampleState(value: number))
    )
  }

  fileprivate static func effect(_ number: Int, of version: UInt64) -> Self {
    Self.make(
      number,
      .didRename(name: "Number \(number)"),
      .success(SampleState(value: number)),
      from: .effect(name: "rename", version: version)
    )
  }

  fileprivate static func refused(_ number: Int) -> Self {
    Self.make(number, .didTapIncrementButton, .failure(SampleRefusal()))
  }

  private static func make(
    _ number: Int,
    _ action: SampleAction,
    _ result: Result<any Sendable, any Error>,
    from origin: ActionOrigin = .form(
      name: "increment", path: "/counter", window: "AAAAAAAAAAAAAAAAAAAAAA")
  ) -> Self {
    let dispatch = Dispatch<any Sendable, any Sendable>(
      action: action,
      origin: origin,
      oldState: SampleState(value: number - 1),
      result: result,
      version: UInt64(number),
      duration: .microseconds(10 * number)
    )
    return Self(
      time: WindowEnvironment.preview.date.addingTimeInterval(Double(number)),
      dispatch: ProductDispatch(product: "SampleState", dispatch: dispatch),
      whole: dispatch
    )
  }
}

extension RegionCause {
  fileprivate static var samples: [Self] {
    [
      Self(
        name: "root", component: "Content", change: .none, duration: nil, bytes: 1_200,
        selectors: [.sample("SelectName", .refused), .sample(nil, .sameDependencies)]),
      Self(
        name: "number", component: "Number", template: "Sample/Number", change: .changed,
        duration: .microseconds(120),
        bytes: 90,
        selectors: [.sample("SelectValue", .changed), .sample("SelectName", .sameOutput)]),
      Self(
        name: "hint", component: "Hint", change: .appeared, duration: .microseconds(15), bytes: 40,
        selectors: [.sample("SelectName", .appeared)]),
    ]
  }
}

extension SelectorCause {
  fileprivate static func sample(_ label: String?, _ outcome: Outcome) -> Self {
    Self(
      label: label, position: "Sample/Select.swift:12", outcome: outcome,
      duration: .microseconds(label == nil ? 1 : 18))
  }
}

extension FrameCost {
  /// A frame at two pages, of which one has two regions.
  fileprivate static func sample(_ number: Int) -> Self {
    func part(_ subject: Subject, _ microseconds: Int, changes: Int = 0) -> Part {
      var part = Part(subject)
      part.runs = 1
      part.changes = changes
      part.duration = .microseconds(microseconds * number)
      return part
    }
    return Self(
      product: "SampleState",
      since: UInt64(number - 1),
      version: UInt64(number),
      places: 2,
      bytes: 180 * number,
      duration: .microseconds(320 * number),
      parts: [
        part(
          Subject(
            .select, page: "/counter", region: "number", name: "SelectValue",
            position: "Sample/Select.swift:12"),
          20, changes: 1),
        part(
          Subject(
            .select, page: "/counter", name: "SelectName", position: "Sample/Select.swift:30"),
          4),
        part(Subject(.render, page: "/counter", region: "number", name: "Number"), 120),
        part(Subject(.difference, page: "/counter", region: "number"), 40),
        part(Subject(.write, page: "/counter"), 8),
        part(Subject(.render, page: "/animals/{animal}", region: "list", name: "List"), 60),
        part(Subject(.write), 12),
      ]
    )
  }
}

extension ShownWindow {
  fileprivate static func sample(_ number: UInt64, _ url: String) -> Self {
    var generator = SampleGenerator(number: number)
    return Self(
      id: Identifier(using: &generator),
      product: "SampleState",
      url: url,
      place: url.utf8.count,
      bytes: 4_000,
      stream: Identifier(using: &generator),
      environment: .preview,
      connection: ShownConnection(
        browser: number == 1 ? .browser : "51c09ae2d7f3",
        sentBytes: 12_000,
        secondsBehind: number == 3 ? 4 : nil
      )
    )
  }
}

extension LoggedVisit {
  fileprivate static func sample(_ event: Visit.Event, _ seconds: Double) -> Self {
    var generator = SampleGenerator(number: 1)
    let window = Identifier(using: &generator)
    let visit = Visit(
      product: "SampleState",
      session: Identifier(using: &generator),
      window: event.isOpening ? nil : window,
      url: "/counter",
      environment: .preview,
      version: UInt64(seconds),
      event: event
    )
    return Self(
      visit, at: WindowEnvironment.preview.date.addingTimeInterval(seconds), product: "Sample",
      browser: .browser)
  }
}

extension Visit.Event {
  fileprivate var isOpening: Bool { if case .opens = self { true } else { false } }
}

private struct SampleGenerator: RandomNumberGenerator {
  let number: UInt64

  func next() -> UInt64 { self.number }
}

/// A part of a developer page. Its previews are inside the element of such a page.
protocol PreviewedPart: Previewed {}

extension PreviewedPart {
  static var surroundings: Surroundings { Surroundings("<div class=\"developer\">", "</div>") }
}

extension PageTime {
  static let preview = Self(WindowEnvironment.preview)
}
