import Foundation
import ImmutableData
import ImmutableRuntime
import ImmutableUI

/// What was recorded, and which windows there are.
struct DeveloperState: Sendable {
  /// Reads an action of a product from JSON.
  typealias Decode = @Sendable (_ product: String, _ json: String) throws -> DecodedAction?

  /// Makes a state of another, both of the store of all products.
  typealias Reduce =
    @Sendable (_ state: any Sendable, _ action: any Sendable) throws -> any Sendable

  /// That of the product.
  static let name = "\(Self.self)"

  /// By number. Bounded by `Limits`: the oldest go first.
  var entries = Table<Entry>()
  /// The number of the oldest entry, and of the newest.
  var oldest = 1
  var newest = 0
  /// The size of all entries, in bytes.
  var bytes = 0
  /// What the newest frames cost. It has a bound of its own.
  var frames = MeasuredFrames()
  var isPaused = false
  /// As of the last look. Bounded by the limit on windows.
  var windows: [ShownWindow] = []
  /// How the newest look that was asked for stands.
  var look = OperationStatus.empty
  /// The browsers whose network was made worse, as of the last look. Bounded by `Networks`.
  var slowed: [SlowedBrowser] = []
  /// The action after which everything is shown; `nil`: as it is now.
  var past: Entry?
  /// The states of the products when recording began, by product.
  var initialStates: [String: any Sendable] = [:]
  /// Those by hand, under way and the newest that have ended, by the id of their submission. Bounded by
  /// the posts that are under way.
  var dispatches: [String: OperationStatus] = [:]
  /// The name of the product of a page; `nil` if there is no such page.
  let productOfPage: @Sendable (String) -> String?
  /// What an action did to a page; `nil` if it was refused, or is that of another product.
  let causes: @Sendable (_ url: String, Entry) -> [RegionCause]?
  /// What a region of a page shows in a state; `nil` if it is not there.
  let tag: @Sendable (_ url: String, _ region: String, any Sendable, Date) -> Tag?
  /// If it is `nil`, nobody can dispatch by hand, nor do anything else that visitors notice.
  let decode: Decode?
  /// Says why nothing can be put back; `nil` if it can.
  let pastObstacle: @Sendable () -> String?
  /// The reducer of the store of all products.
  let reduce: Reduce

  init(
    productOfPage: @escaping @Sendable (String) -> String? = { _ in nil },
    causes: @escaping @Sendable (String, Entry) -> [RegionCause]? = { _, _ in nil },
    tag: @escaping @Sendable (String, String, any Sendable, Date) -> Tag? = { _, _, _, _ in nil },
    decode: Decode? = nil,
    pastObstacle: @escaping @Sendable () -> String? = { nil },
    reduce: @escaping Reduce = { state, _ in state }
  ) {
    self.productOfPage = productOfPage
    self.causes = causes
    self.tag = tag
    self.decode = decode
    self.pastObstacle = pastObstacle
    self.reduce = reduce
  }
}

/// What can happen to what was recorded.
enum DeveloperAction: Sendable {
  case ui(_ action: UI)
  case recorder(_ action: Recorder)

  enum UI: Sendable {
    case onTapPauseButton
    case onTapResumeButton
    case onTapClearButton
    case onTapRefreshWindowsButton
    case onTapDispatchButton(id: String, product: String, json: String)
    case onTapCutOffButton(browser: String)
    case onTapSlowDownButton(browser: String, NetworkConditions)
    case onTapBackToNormalButton(browser: String)
    /// - Parameter entry: The number of the action after which everything is to be shown.
    case onTapGoBackButton(entry: Int)
    case onTapBackToNowButton
  }

  enum Recorder: Sendable {
    case didBegin(states: [String: any Sendable])
    case didRecord(_ recorded: [Recorded])
    case didMeasure(_ cost: FrameCost, at: Date)
    case didSeeWindows(_ windows: [ShownWindow], slowed: [SlowedBrowser])
    /// - Parameter error: Why the product has refused it; `nil` if it has not.
    case didDispatch(id: String, error: String?)
  }
}

extension DeveloperState: StoreState {
  typealias Action = DeveloperAction
}

/// Keeps the newest of what was recorded.
enum DeveloperReducer {
  /// At most so many entries, and about so many bytes.
  static let countLimit = 1_000
  static let byteLimit = 64 << 20

  /// - Throws: ``Refusal`` of a dispatch by hand whose JSON is not an action, and of what concerns visitors
  ///   where nothing can be dispatched by hand.
  @Sendable static func reduce(
    state: DeveloperState,
    action: DeveloperAction
  ) throws -> DeveloperState {
    var state = state
    switch action {
    case .ui(.onTapPauseButton): state.isPaused = true
    case .ui(.onTapResumeButton): state.isPaused = false
    case .ui(.onTapClearButton):
      state.entries = Table()
      state.oldest = state.newest + 1
      state.bytes = 0
      state.frames.removeAll()
    case .ui(.onTapRefreshWindowsButton): state.look = .waiting
    case .ui(.onTapDispatchButton(let id, let product, let json)):
      try state.refuseInThePast()
      _ = try state.action(of: product, json: json)
      state.dispatches = state.dispatches.filter { $0.value == .waiting }
      state.dispatches[id] = .waiting
    case .ui(.onTapCutOffButton(let browser)), .ui(.onTapSlowDownButton(let browser, _)),
      .ui(.onTapBackToNormalButton(let browser)):
      try state.requireBrowser(browser)
      state.look = .waiting
    case .ui(.onTapGoBackButton(let id)): state.past = try state.entry(toGoBackTo: id)
    case .ui(.onTapBackToNowButton):
      try state.requireDispatch()
      state.past = nil
    case .recorder(.didDispatch(let id, let error)):
      state.dispatches[id] = error.map { .failure(error: $0) } ?? .success
    case .recorder(.didBegin(let states)): state.initialStates = states
    case .recorder(.didRecord(let recorded)): state.append(recorded)
    case .recorder(.didSeeWindows(let windows, let slowed)):
      state.windows = windows
      state.slowed = slowed
      state.look = .success
    case .recorder(.didMeasure(let cost, at: let time)): state.measure(cost, at: time)
    }
    return state
  }
}

extension DeveloperState {
  fileprivate mutating func append(_ recorded: [Recorded]) {
    guard self.isPaused == false else {
      // A number that no entry has says that something is missing there.
      if self.entries[self.newest] != nil { self.newest += 1 }
      return
    }
    for recorded in recorded {
      self.newest += 1
      let entry = Entry(id: self.newest, recorded)
      self.entries[entry.id] = entry
      self.bytes += entry.bytes
    }
    while self.entries.count > DeveloperReducer.countLimit
      || self.bytes > DeveloperReducer.byteLimit && self.entries.count > 1
    {
      self.bytes -= self.entries[self.oldest]?.bytes ?? 0
      self.entries[self.oldest] = nil
      self.oldest += 1
    }
  }

  /// With which entry those begin that lead to one without anything missing between them.
  ///
  /// - Complexity: O(n), n entries.
  func startOfRun(with id: Int) -> Int {
    var start = id
    while self.entries[start - 1] != nil { start -= 1 }
    return start
  }
}
