import Glibc
import HTMLTemplates
import HashTreeCollections
import ImmutableData
import ImmutableRuntime
import ImmutableUI

struct Numbers: Sendable {
  var values: TreeDictionary<Int, Int> = [:]
}

enum NumbersAction: Sendable {
  case didSet(key: Int, value: Int)
}

extension Numbers: StoreState {
  typealias Action = NumbersAction
}

/// Which number a window shows, and what else is in its URL.
struct NumberLocal: LocalState {
  var key = 0
  var other = 0

  static let parameters: [Parameter<Self>] = [
    Parameter("key", \.key),
    Parameter("other", \.other),
  ]
}

struct NumberPage: Root {
  typealias State = Numbers

  private let key: Int
  private let other: Int

  init(_ local: NumberLocal) {
    self.key = local.key
    self.other = local.other
  }

  var body: some Component {
    NumberContainer(key: self.key, other: self.other)
  }
}

struct NumberContainer: Component {
  @ImmutableUI.Selector<Store<Numbers, NumbersAction>, Int> var value: Int
  let other: Int

  init(key: Int, other: Int) {
    self._value = ImmutableUI.Selector(
      id: key,
      filter: { _, action in
        switch action {
        case .didSet(let other, value: _): other == key
        }
      },
      outputSelector: { (state: Numbers) in state.values[key] ?? 0 }
    )
    self.other = other
  }

  var body: some Component {
    NumberPresenter(value: self.value, other: self.other)
  }
}

struct NumberPresenter: Presenter {
  let value: Int
  let other: Int

  static let template = Template<Self>(
    named: "Number",
    [.text("value") { $0.value }, .text("other") { $0.other }]
  )
}

/// How much processor time it takes from an action that concerns one place to its order, by how many places there are.
@main struct FramesBenchmark {
  static let rounds = 400

  static func main() async throws {
    print("| Places | Selectors | Microseconds of CPU from action to order, median | Of 100 places |")
    print("| ---: | ---: | ---: | ---: |")
    var base = 0.0
    for count in [100, 1_000, 10_000] {
      let time = try await Self.measure(count)
      if count == 100 { base = time }
      print(
        "| \(count) | \(count) | \(Self.rounded(time)) | \(Self.rounded(time / base)) |")
    }
  }

  private static func rounded(_ value: Double) -> Double {
    (value * 100).rounded() / 100
  }

  private static func measure(_ count: Int) async throws -> Double {
    let store = await Store<Numbers, NumbersAction>(initialState: Numbers()) { state, action in
      var state = state
      switch action {
      case .didSet(let key, let value): state.values[key] = value
      }
      return state
    }
    let templates = TemplateLibrary(sources: ["Number": "<p>{{value}} {{other}}</p>"])
    let windows = try WindowGroup(
      templates: templates,
      configuration: WindowGroup.Configuration(frameInterval: .zero)
    ) {
      Provider(store) { Page(NumberPage.self, at: "/number", title: "Number") }
    }
    let (commands, continuation) = AsyncStream.makeStream(of: Void.self)
    windows.connect { commands in
      for case .frame in commands { continuation.yield() }
    }
    let session = Identifier()
    for key in 0..<count {
      let stream = Identifier()
      if key % 32 == 0 { await Task.yield() }
      let owner = key % 500 == 0 ? session : Identifier()
      _ = try windows.openStream(stream, session: owner)
      _ = try await windows.join(
        stream: stream, session: owner, at: "/number?key=\(key + 1)", navigation: 1, tags: [:])
    }
    let running = Task { await windows.run() }
    defer { running.cancel() }
    var iterator = commands.makeAsyncIterator()
    var times: [Double] = []
    for round in 0..<Self.rounds {
      let began = Self.processorTime()
      try await store.dispatch(action: .didSet(key: round % count + 1, value: round + 1))
      await iterator.next()
      times.append(Self.processorTime() - began)
    }
    return times.sorted()[times.count / 2]
  }

  /// Of all threads, in microseconds: what else the machine does is not in it.
  private static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
  }
}
