import Foundation
import ImmutableData
import ImmutableRuntime
import ImmutableUI

/// The recorded actions, and the open windows.
struct DeveloperState: Sendable {
  /// The state of the product.
  static let name = "\(Self.self)"

  /// By number. Bounded by `Limits`: the oldest are removed first.
  var entries = Table<Entry>()
  /// The numbers of the oldest and the newest entry.
  var oldest = 1
  var newest = 0
  /// The number of the newest entry of each product, even if it was removed or is missing.
  private var newestByProduct: [String: Int] = [:]
  /// The products with missing actions, by the number that no entry has. Bounded by `entries`.
  fileprivate var skipped: [Int: Set<String>] = [:]
  /// The size of all entries, in bytes.
  var bytes = 0
  /// The cost of the newest frames.
  var frames = Newest<MeasuredFrame>()
  var visits = Newest<VisitEntry>()
  var isPaused = false
  /// The windows when they were last checked. Bounded by the limit on windows.
  var windows: [ShownWindow] = []
  /// The status of the newest request to check the windows.
  var look = OperationStatus.empty
  /// The browsers with a simulated network when they were last checked. Bounded by `Networks`.
  var slowed: [SlowedBrowser] = []
  /// Why a ``Recorder`` has stopped; `nil` if it goes on, or there is none.
  var recordingEnd: RecordingEnd?
  /// The recording that is shown instead of a running program; `nil` if there is none.
  var loaded: LoadedRecording?
  /// The action to which everything is put back; `nil` if the present is shown.
  var past: Entry?
  /// The newest state of each product, by product, even if the action was not recorded.
  var presents: [String: Present] = [:]
  /// The states before the oldest entry, by product.
  var oldestStates: [String: any Sendable] = [:]
  /// Dispatches by hand that are in progress, and the newest that have ended, by the id of their
  /// submission. Bounded by the posts in progress.
  var dispatches: [String: OperationStatus] = [:]
  let program: InspectedProgram

  struct Present: Sendable {
    /// The version of the action that led to it; 0 if there was none since recording began.
    let version: UInt64
    let state: any Sendable
  }

  init(_ program: InspectedProgram = InspectedProgram()) {
    self.program = program
  }
}

/// The actions of the developer pages.
enum DeveloperAction: Sendable {
  case ui(_ action: UI)
  case recorder(_ action: Recorder)

  enum UI: Sendable {
    case onTapPauseButton
    case onTapResumeButton
    case onTapClearButton
    case onAppearWindows
    case onTapRefreshWindowsButton
    case onTapDispatchButton(id: String, product: String, json: String)
    case onTapCutOffButton(browser: String)
    case onTapSlowDownButton(browser: String, NetworkConditions)
    case onTapBackToNormalButton(browser: String)
    /// - Parameter entry: The number of the action to which everything is to be put back.
    case onTapGoBackButton(entry: Int)
    case onTapBackToNowButton
  }

  enum Recorder: Sendable {
    case didBegin(states: [String: any Sendable])
    /// - Parameter happenings: What has happened, oldest first.
    case didRecord(_ happenings: [Happening])
    case didStopRecording(RecordingEnd)
    case didLoad(LoadedRecording)
    case didSeeWindows(_ windows: [ShownWindow], slowed: [SlowedBrowser])
    /// - Parameter error: Why the product refused it; `nil` if it was accepted.
    case didDispatch(id: String, error: String?)
  }
}

extension DeveloperState: StoreState {
  typealias Action = DeveloperAction
}

/// Keeps the newest recorded entries.
enum DeveloperReducer {
  /// The maximum number of entries, and their maximum size in bytes, approximately.
  static let countLimit = 1_000
  static let byteLimit = 64 << 20

  /// - Throws: ``Refusal`` for a dispatch by hand whose JSON is not an action, and for actions that
  ///   affect visitors if nothing can be dispatched by hand.
  @Sendable static func reduce(
    state: DeveloperState,
    action: DeveloperAction
  ) throws -> DeveloperState {
    var state = state
    switch action {
    case .ui where state.loaded != nil:
      throw Refusal.isRecording
    case .ui(.onTapPauseButton): state.isPaused = true
    case .ui(.onTapResumeButton): state.isPaused = false
    case .ui(.onTapClearButton):
      state.entries = Table()
      state.skipped = [:]
      state.oldest = state.newest + 1
      state.oldestStates = state.presents.mapValues(\.state)
      state.bytes = 0
      state.frames.removeAll()
      state.visits.removeAll()
    case .ui(.onAppearWindows), .ui(.onTapRefreshWindowsButton): state.look = .waiting
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
    case .recorder(.didBegin(let states)):
      state.oldestStates = states
      state.presents = states.mapValues { DeveloperState.Present(version: 0, state: $0) }
    case .recorder(.didRecord(let happenings)): state.append(happenings)
    case .recorder(.didStopRecording(let end)): state.recordingEnd = end
    case .recorder(.didLoad(let recording)):
      state.loaded = recording
      state.isPaused = true
    case .recorder(.didSeeWindows(let windows, let slowed)):
      state.windows = windows
      state.slowed = slowed
      state.look = .success
    }
    return state
  }
}

extension DeveloperState {
  fileprivate mutating func append(_ happenings: [Happening]) {
    for happening in happenings {
      switch happening {
      case .action(let recorded):
        self.presents[recorded.dispatch.productName] = Present(recorded.dispatch.dispatch)
        if self.isPaused { self.skip(recorded) } else { self.append(recorded) }
      case .skip(let product, let present):
        self.presents[product] = present
        self.skip(product)
      case .frame(let cost, at: let time):
        if self.isPaused == false { self.measure(cost, at: time) }
      case .visit(let visit):
        if self.isPaused == false { self.append(visit) }
      }
    }
  }

  private mutating func append(_ visit: LoggedVisit) {
    var number = self.newestByProduct[visit.product] ?? 0
    while number >= self.oldest, self.precedes(visit, number) == false { number -= 1 }
    let entry = max(number, self.oldest - 1)
    self.visits.append { VisitEntry(id: $0, visit: visit, entry: entry) }
  }

  private func precedes(_ visit: LoggedVisit, _ number: Int) -> Bool {
    guard let entry = self.entries[number] else {
      return self.skipped[number]?.contains(visit.product) == true
    }
    return entry.product == visit.product && entry.dispatch.version <= visit.version
  }

  private mutating func skip(_ recorded: Recorded) {
    let isAccepted = if case .success = recorded.dispatch.dispatch.result { true } else { false }
    self.skip(recorded.dispatch.productName, hasNewState: isAccepted)
  }

  /// Marks that entries are missing, by a number that no entry has.
  private mutating func skip(_ product: String, hasNewState: Bool = true) {
    if self.entries[self.newest] != nil {
      self.newest += 1
    } else if self.entries.isEmpty {
      self.oldestStates = self.presents.mapValues(\.state)
      return
    }
    guard hasNewState else { return }
    self.skipped[self.newest, default: []].insert(product)
    self.newestByProduct[product] = self.newest
  }

  private mutating func append(_ recorded: Recorded) {
    self.newest += 1
    let entry = Entry(id: self.newest, recorded)
    self.entries[entry.id] = entry
    self.newestByProduct[entry.product] = entry.id
    self.bytes += entry.bytes
    while self.entries.count > DeveloperReducer.countLimit
      || self.bytes > DeveloperReducer.byteLimit && self.entries.count > 1
    {
      // Actions that are missing hide the states that follow them also when the entries around them
      // are gone: they count as missing right before the oldest entry.
      var missing = self.skipped.removeValue(forKey: self.oldest - 1) ?? []
      if let entry = self.entries[self.oldest] {
        self.bytes -= entry.bytes
        self.oldestStates[entry.product] = entry.state
        self.entries[entry.id] = nil
        missing.remove(entry.product)
      }
      missing.formUnion(self.skipped[self.oldest] ?? [])
      self.skipped[self.oldest] = missing.isEmpty ? nil : missing
      self.oldest += 1
    }
  }

  /// Whether the state of a product after a number is known. Each entry has one, and so has the
  /// number before the oldest, unless actions of the product are missing before it.
  ///
  /// - Complexity: O(n), n entries.
  func isRecorded(_ id: Int, of product: String) -> Bool {
    guard id == self.oldest - 1 || self.entries[id] != nil else { return false }
    let newest = self.entries(of: product).first { $0.id <= id }?.id ?? self.oldest - 1
    return self.skipped.allSatisfy { number, products in
      number < newest || number > id || products.contains(product) == false
    }
  }

  /// The first of the entries that lead to an entry without a gap.
  ///
  /// - Complexity: O(n), n entries.
  func startOfRun(with id: Int) -> Int {
    var start = id
    while self.entries[start - 1] != nil { start -= 1 }
    return start
  }
}

extension DeveloperState.Present {
  fileprivate init(_ dispatch: Dispatch<any Sendable, any Sendable>) {
    self.init(version: dispatch.version, state: dispatch.newState)
  }
}
