import Foundation
import HTMLTemplates
public import ImmutableData
public import ImmutableRuntime
public import ImmutableUI
public import Logging

/// The developer pages, which show what happens inside a window group's products.
///
/// ```swift
/// let developer = Developer(store)
/// let windows = try WindowGroup(templates: templates) {
///   Provider(store) { … }
///   developer.provider
/// }
/// await developer.follow(windows)
/// configuration.developer = developer.pages
/// ```
///
/// From then on it records every action of the other products, in memory: the newest 1,000, and
/// about 64 MB at most. It has a Store of its own and does not record itself. The pages show data
/// of all visitors, so a server must show them to developers only.
@MainActor public final class Developer: Sendable {
  /// The path at which a server answers with a past page (``pages``).
  nonisolated static let pastPath = "/developer/past"
  private static let logger = Logger(label: "developer")

  let store: DeveloperState.Store
  private let group = WeakGroup()
  private nonisolated let lanes = EffectLanes()
  private var listener: DeveloperListener?
  private let dispatchLogger: Logger?
  /// Shows a state of the products' store; `nil` for its own.
  private let show: @MainActor @Sendable ((any Sendable)?) -> Void
  /// What has happened since the Store was last updated.
  nonisolated let happenings = Happenings()
  /// The newest dispatch to the store of all products, until it has been recorded as a dispatch of
  /// a product.
  private var whole: Dispatch<any Sendable, any Sendable>?
  /// The time of the action that a recording is loaded with; `nil` for now.
  var recordedTime: Date?

  /// - Parameters:
  ///   - other: The products' store. It must have its own state, so it must not be a scope. If
  ///     several servers share it, nothing can be put back, because the others would go on.
  ///   - dispatchLogger: If present, developers can do things that visitors notice: dispatch
  ///     actions by hand, put everything back, cut browsers off and slow them down. The logger
  ///     receives a message each time, and the pages are only for browsers on the server's machine.
  ///     Leave it out in production, because it allows more than forms can post.
  public init<State, Action>(
    _ other: ImmutableData.Store<State, Action>,
    dispatchLogger: Logger? = nil
  ) {
    let group = self.group
    self.dispatchLogger = dispatchLogger
    self.show = { [weak other] in other?.show($0 as? State) }
    let decode: InspectedProgram.Decode = { product, json in
      try group.windows?.action(json: Data(json.utf8)) {
        ProductDispatch.productName(of: $0) == product
      }
    }
    let program = InspectedProgram(
      productOfPage: { url in
        group.windows?.product(of: url).map(ProductDispatch.productName)
      },
      causes: { url, entry, environment in
        group.windows?.causes(url, of: entry.recorded, environment: environment)
      },
      regions: { url, state, environment in
        group.windows?.causes(url, in: state, environment: environment)
      },
      tag: { url, region, state, environment in
        group.windows?.tag(of: region, at: url, in: state, environment: environment)
      },
      decode: dispatchLogger == nil ? nil : decode,
      pastObstacle: { [weak other] in
        guard other?.isShared != true else {
          return "Several servers share this state, and only this one would show the past. "
            + "Open a past page instead."
        }
        guard group.windows?.recordsVisits == true else { return nil }
        return
          "This server records what visitors do, which would no longer follow from the actions. "
          + "Start it without --record and --reports."
      },
      reduce: { [weak other] state, action in
        guard let other, let whole = state as? State, let action = action as? Action else {
          return state
        }
        return try other.state(after: action, in: whole)
      }
    )
    self.store = Store(initialState: DeveloperState(program), reducer: DeveloperReducer.reduce)
    other.record { [weak self] dispatch in
      self?.whole = dispatch.map(dispatch.action as any Sendable) { $0 as any Sendable }
    }
  }

  /// The pages, for the window group that is inspected.
  public nonisolated var provider: Provider {
    Provider(preparing: self.store, effects: self.lanes) {
      await self.look()
    } pages: {
      DeveloperLog.page()
      DeveloperStates.page()
      DeveloperWindows.page()
      DeveloperTime.page()
      DeveloperFork.page()
      DeveloperCost.page()
      if self.dispatchLogger != nil { DeveloperDispatch.page() }
    }
  }

  /// Starts to record.
  ///
  /// - Parameter windows: The window group that has the ``provider``. It is not retained.
  public func follow(_ windows: WindowGroup) async {
    await self.prepare(windows)
    windows.measureFrames(except: DeveloperState.name) { self.add(.frame($0, at: .now)) }
    windows.recordVisits(except: DeveloperState.name, isReplayed: false) { [group] visit in
      guard let windows = group.windows, let name = visit.product else { return }
      let visit = LoggedVisit(
        visit,
        at: .now,
        product: ProductDispatch.productName(of: name),
        browser: windows.browser(of: visit.session)
      )
      self.add(.visit(visit))
    }
    let listener = DeveloperListener(
      self.group, lanes: self.lanes, logger: self.dispatchLogger, show: self.show
    ) { isWatched in
      self.happenings.isWatched = isWatched
      if isWatched { self.catchUp() }
    }
    listener.listen(to: self.store)
    self.listener = listener
  }

  /// Starts to record actions.
  func prepare(_ windows: WindowGroup) async {
    self.group.windows = windows
    let states = windows.states(except: DeveloperState.name)
    let names = states.map { (ProductDispatch.productName(of: $0), $1) }
    self.dispatch(.didBegin(states: Dictionary(names) { $1 }))
    await windows.record(except: DeveloperState.name) { dispatch in
      // The store of all products has just recorded the same action, unless it belongs to another
      // store.
      let isWhole = self.whole?.version == dispatch.dispatch.version
      self.add(
        .action(
          Recorded(
            time: self.recordedTime ?? .now, dispatch: dispatch, whole: isWhole ? self.whole : nil))
      )
      self.whole = nil
    } didSkip: { product, state, version in
      self.add(
        .skip(
          product: ProductDispatch.productName(of: product),
          DeveloperState.Present(version: version, state: state)))
    }
  }

  /// Adds something from a recording.
  func load(_ happening: Happening) {
    if self.happenings.add(happening) != nil { self.catchUp() }
  }

  /// Dispatches the actions of a recording that make a batch. A recording is read without pauses, so
  /// nothing that is scheduled would run before its end.
  func loadBatch() {
    if self.happenings.isDue { self.catchUp() }
  }

  /// Ends the loading of a recording. From then on the pages are read-only.
  func load(_ recording: LoadedRecording, _ windows: [ShownWindow]) {
    self.catchUp()
    let windows = windows.sorted { ($0.url, $0.id.text) < ($1.url, $1.id.text) }
    self.dispatch(.didSeeWindows(windows, slowed: []))
    self.dispatch(.didLoad(recording))
  }

  /// Says on the pages if a recording stops (``Recorder/whenStopped(_:)``).
  public nonisolated func follow<State, Action>(_ recorder: Recorder<State, Action>) {
    recorder.whenStopped { [weak self] reason in
      let end = RecordingEnd(reason: reason, time: .now)
      Task { @MainActor in
        self?.dispatch(.didStopRecording(end))
      }
    }
  }

  private nonisolated func add(_ happening: Happening) {
    guard let (pause, number) = self.happenings.add(happening) else { return }
    Task {
      if pause > .zero { try? await Task.sleep(for: pause) }
      await self.catchUp(number)
    }
  }

  /// Dispatches everything that has happened to the Store, as one action.
  ///
  /// - Parameter number: The number of a scheduled dispatch, which must still be due.
  private func catchUp(_ number: Int? = nil) {
    let happenings = self.happenings.take(number)
    guard happenings.isEmpty == false else { return }
    self.dispatch(.didRecord(happenings))
  }

  private func dispatch(_ action: DeveloperAction.Recorder) {
    do {
      try self.store.dispatch(action: .recorder(action))
    } catch {
      Self.logger.error("The developer pages lack an action", metadata: ["error": "\(error)"])
    }
  }

  /// Notes that somebody looks at a developer page. ``DeveloperListener`` notices when they stop.
  func look() {
    self.happenings.isWatched = true
    self.catchUp()
  }
}

extension Developer {
  /// The pages that a server has to answer in addition to the provider's pages.
  public nonisolated var pages: DeveloperPages {
    let (store, group) = (self.store, self.group)
    return DeveloperPages(
      root: "/developer",
      areLocal: self.dispatchLogger != nil,
      picker: { url in
        DeveloperPages.Picker(
          url: DeveloperTime.page().url { $0.url = url },
          assets: [.style("picker.css"), .module("picker.js")])
      },
      past: Self.pastPath,
      page: { query, environment in
        await self.look()
        guard let windows = group.windows, let url = query["url"],
          let name = windows.product(of: url)
        else { return nil }
        let recorded = store.snapshot().state
        let id = query["at"].flatMap { Int($0) }
        let entry = id.flatMap { DeveloperState.selectEntry(of: url, upTo: $0)(recorded) }
        let seen =
          query["seen"].flatMap(PageTime.init)
          ?? PageTime(timeZone: environment.timeZone, date: nil, visitor: environment.visitor)
        let state =
          if let plan = query["plan"].flatMap(ForkPlan.init) {
            recorded.fork(plan)?.state
          } else {
            recorded.state(of: ProductDispatch.productName(of: name), after: id)
          }
        let inspection = PageInspection(region: query["region"], assets: [.style("past.css")])
        return state.flatMap {
          windows.page(
            url,
            in: $0,
            environment: seen.environment(at: entry?.time ?? environment.date),
            inspection: inspection
          )
        }
      },
      previews: PreviewPages.path,
      preview: { path, query in
        try group.windows.flatMap { windows in
          try PreviewPages(windows: windows, program: store.snapshot().state.program)
            .page(at: path, query)
        }
      }
    )
  }
}
