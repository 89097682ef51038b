import Glibc
import HTMLTemplates
import ImmutableData
import ImmutableRuntime
import ImmutableUI

struct Number: Hashable, Identifiable, Sendable {
  let id: Int
  let value: Int
}

struct Numbers: StoreState {
  enum Action: Sendable {
    case didSet(Number)
  }

  var table = Table<Number>()

  static func reduce(state: Self, action: Action) -> Self {
    var state = state
    switch action {
    case .didSet(let number): state.table[number.id] = number
    }
    return state
  }
}

/// The number that a window shows.
struct NumberLocal: LocalState {
  var id = 0

  static let parameters: [Parameter<Self>] = [Parameter("id", \.id)]
}

/// A page with a selector that depends on one row.
struct RowPage: Root {
  typealias State = Numbers

  @TableSelector<Store<Numbers, Numbers.Action>, SingleRow<Number>> private var number: Number?

  init(_ local: NumberLocal) {
    self._number = TableSelector(row: local.id, from: \.table)
  }

  var body: some Component {
    NumberPresenter(value: self.number?.value ?? 0)
  }
}

/// The same page with a plain selector, which every frame must ask.
struct PlainPage: Root {
  typealias State = Numbers

  @ImmutableUI.Selector<Store<Numbers, Numbers.Action>, Int> private var value: Int

  init(_ local: NumberLocal) {
    let id = local.id
    self._value = ImmutableUI.Selector(
      id: id,
      filter: { _, action in
        switch action {
        case .didSet(let number): number.id == id
        }
      },
      outputSelector: { (state: Numbers) in state.table[id]?.value ?? 0 }
    )
  }

  var body: some Component {
    NumberPresenter(value: self.value)
  }
}

struct NumberPresenter: Presenter {
  let value: Int

  static let template = Template<Self>(named: "Number", [.text("value") { $0.value }])
}

/// Measures the CPU time from an action that changes one place until its event is sent, with different
/// numbers of places.
@main struct FramesBenchmark {
  static let rounds = 400
  static let counts = [100, 1_000, 10_000]
  /// The maximum cost of a frame with the most places, relative to one with the fewest.
  static let limit = 2.0

  static func main() async throws {
    print("| Places | Selector of a row | Times 100 places | Plain selector | Times 100 places |")
    print("| ---: | ---: | ---: | ---: | ---: |")
    var base: (row: Double, plain: Double)?
    for count in Self.counts {
      let row = try await Self.measure(count) { Page(RowPage.self, at: "/number", title: "Number") }
      let plain = try await Self.measure(count) {
        Page(PlainPage.self, at: "/number", title: "Number")
      }
      let first = base ?? (row, plain)
      base = first
      print(
        "| \(count) | \(Int(row)) µs | \(Self.rounded(row / first.row)) "
          + "| \(Int(plain)) µs | \(Self.rounded(plain / first.plain)) |")
      guard row <= Self.limit * first.row else { throw TooExpensive() }
    }
  }

  struct TooExpensive: Error, CustomStringConvertible {
    let description = "a frame costs more when there are more places that it does not concern"
  }

  private static func rounded(_ value: Double) -> Double {
    (value * 100).rounded() / 100
  }

  private static func measure<Content: Root>(
    _ count: Int,
    page: @escaping @Sendable () -> Page<Content>
  ) async throws -> Double where Content.State == Numbers {
    let store = await Store(initialState: Numbers(), reducer: Numbers.reduce)
    let templates = TemplateLibrary(sources: ["Number": "<p>{{value}}</p>"])
    var configuration = WindowGroup.Configuration()
    configuration.frameInterval = .zero
    let windows = try WindowGroup(templates: templates, configuration: configuration) {
      Provider(store) { page() }
    }
    let (commands, continuation) = AsyncStream.makeStream(of: Void.self)
    windows.connect { commands in
      for case .frame in commands { continuation.yield() }
    }
    for id in 1...count {
      let (stream, session) = (Identifier(), Identifier())
      _ = try windows.openStream(stream, session: session)
      _ = try await windows.join(
        stream: stream, session: session, at: "/number?id=\(id)", navigation: 1, tags: [:])
    }
    let running = Task { await windows.run() }
    defer { running.cancel() }
    var iterator = commands.makeAsyncIterator()
    var times: [Double] = []
    for round in 0..<Self.rounds {
      let began = Self.processorTime()
      try await store.dispatch(action: .didSet(Number(id: round % count + 1, value: round + 1)))
      await iterator.next()
      times.append(Self.processorTime() - began)
    }
    return times.sorted()[times.count / 2]
  }

  /// The CPU time of all threads, in microseconds. Other programs on the machine do not change it.
  private static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
  }
}
