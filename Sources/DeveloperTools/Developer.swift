import Foundation
import HTMLTemplates
public import ImmutableData
public import ImmutableRuntime
public import ImmutableUI
public import Logging

/// The developer pages: what happens to a window group's products, seen from inside.
///
/// ```swift
/// let developer = await Developer(versionsOf: store)
/// let windows = try WindowGroup(templates: templates) {
///   Provider(store) { … }
///   developer.provider
/// }
/// await developer.follow(windows)
/// configuration.developer = developer.pages
/// ```
///
/// From then on it records every action of the other products, in memory: the newest 1,000, and about
/// 64 MB at most. It has a Store of its own and does not record itself. The pages show data of all
/// visitors, so a server must show them to developers only.
@MainActor public final class Developer: Sendable {
  /// Where a server answers with a page of the past (``pages``).
  nonisolated static let pastPath = "/developer/past"

  let store: Store
  private let group = WeakGroup()
  private var listener: WindowsListener?
  private let dispatchListener: DispatchListener?
  private let pastListener: PastListener?
  private let dispatchLogger: Logger?
  /// What was recorded since the last flush.
  private var recorded: [Recorded] = []
  /// The newest dispatch to the store of all products, until it was recorded as that of a product.
  private var whole: Dispatch<any Sendable, any Sendable>?

  /// - Parameters:
  ///   - other: The products' store, which has a state of its own: no scope of it, and not one that several
  ///     servers share.
  ///   - dispatchLogger: If there is one, developers can do what visitors notice, and it is told of
  ///     each time: dispatch actions by hand, put everything back, cut browsers off and slow them down.
  ///     Then the pages are there for browsers on the server's machine only. Leave it out in
  ///     production: what visitors may do is what forms can post, and this is more.
  public init<State, Action>(
    versionsOf other: ImmutableData.Store<State, Action>,
    dispatchLogger: Logger? = nil
  ) {
    let group = self.group
    self.dispatchLogger = dispatchLogger
    self.dispatchListener = dispatchLogger.map { DispatchListener(logger: $0) }
    self.pastListener = dispatchLogger.map { logger in
      PastListener(logger: logger) { [weak other] state in other?.show(state as? State) }
    }
    let decode: DeveloperState.Decode = { product, json in
      try group.windows?.action(json: Data(json.utf8)) {
        ProductDispatch.productName(of: $0) == product
      }
    }
    self.store = Store(
      initialState: DeveloperState(
        productOfPage: { url in
          group.windows?.product(of: url).map(ProductDispatch.productName)
        },
        causes: { url, entry in
          group.windows?.causes(
            url, of: entry.recorded, environment: WindowEnvironment(date: entry.time))
        },
        tag: { url, region, state, time in
          group.windows?.regions(url, in: state, environment: WindowEnvironment(date: time))?
            .first { $0.name == region }?.tag
        },
        decode: dispatchLogger == nil ? nil : decode,
        pastObstacle: {
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
      ),
      versionsOf: other,
      reducer: DeveloperReducer.reduce
    )
    other.record { [weak self] dispatch in
      self?.whole = dispatch.map(dispatch.action as any Sendable) { $0 as any Sendable }
    }
  }

  /// The pages, for the window group that is looked at.
  public nonisolated var provider: Provider {
    Provider(self.store) {
      DeveloperLog.page()
      DeveloperStates.page()
      DeveloperWindows.page()
      DeveloperTime.page()
      DeveloperFork.page()
      DeveloperCost.page()
      if self.dispatchListener != nil { DeveloperDispatch.page() }
    }
  }

  /// Begins to record.
  ///
  /// - Parameter windows: The window group that has the ``provider``. It is not retained.
  public func follow(_ windows: WindowGroup) async {
    self.group.windows = windows
    let states = windows.states(except: DeveloperState.name)
    let names = states.map { (ProductDispatch.productName(of: $0), $1) }
    try? self.store.dispatch(
      action: .recorder(.didBegin(states: Dictionary(names) { $1 })))
    await windows.record(except: DeveloperState.name) { dispatch in
      // The store of all products has just been told of the same action, unless it is another's.
      let isWhole = self.whole?.version == dispatch.dispatch.version
      self.record(Recorded(time: .now, dispatch: dispatch, whole: isWhole ? self.whole : nil))
      self.whole = nil
    }
    windows.measureFrames(except: DeveloperState.name) { cost in
      Task { @MainActor in self.record(cost) }
    }
    self.listener = WindowsListener(self.group, logger: self.dispatchLogger)
    self.listener?.listen(to: self.store)
    self.dispatchListener?.listen(to: self.store)
    self.pastListener?.listen(to: self.store)
  }

  /// Many actions at once become one action of the developer's.
  private func record(_ recorded: Recorded) {
    self.recorded.append(recorded)
    guard self.recorded.count == 1 else { return }
    Task { self.flush() }
  }

  private func flush() {
    guard self.recorded.isEmpty == false else { return }
    defer { self.recorded = [] }
    try? self.store.dispatch(action: .recorder(.didRecord(self.recorded)))
  }

  /// A frame is recorded after its actions.
  private func record(_ cost: FrameCost) {
    self.flush()
    try? self.store.dispatch(action: .recorder(.didMeasure(cost, at: .now)))
  }
}

extension Developer {
  /// What a server has to answer beside the provider's pages.
  public nonisolated var pages: DeveloperPages {
    let (store, group) = (self.store, self.group)
    return DeveloperPages(
      root: "/developer",
      areLocal: self.dispatchListener != nil,
      past: Self.pastPath,
      page: { query, environment in
        guard let windows = group.windows, let url = query["url"],
          let name = windows.product(of: url)
        else { return nil }
        let recorded = store.snapshot().state
        let state =
          if let plan = query["plan"].flatMap(ForkPlan.init) {
            recorded.fork(plan)?.state
          } else {
            recorded.state(
              of: ProductDispatch.productName(of: name), after: query["at"].flatMap { Int($0) })
          }
        let inspection = PageInspection(region: query["region"], assets: [.style("past.css")])
        return state.flatMap {
          windows.page(url, in: $0, environment: environment, inspection: inspection)
        }
      },
      previews: PreviewPages.path,
      preview: { path, query in
        try group.windows.flatMap { try PreviewPages(windows: $0).page(at: path, query) }
      }
    )
  }
}
