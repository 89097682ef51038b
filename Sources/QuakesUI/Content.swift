public import ImmutableUI
public import QuakesData

/// The earthquakes of a day, in a list and on a map.
///
/// Source: the guide, chapter QuakesUI, section Content.
public struct Content: Root, Presenter {
  public typealias State = QuakesState

  public static let assets: [Asset] = [.style("quakes.css")]

  private let local: QuakesLocal
  @SelectQuake private var quake: Quake?

  public init(_ local: QuakesLocal = QuakesLocal()) {
    self.local = local
    self._quake = SelectQuake(quakeId: local.listSelection)
  }

  /// The page that shows the earthquakes.
  ///
  /// - Parameter path: Where it is served.
  public static func page(at path: String = "/quakes") -> Page<Self> {
    Page(Self.self, at: path, title: "Quakes")
  }

  /// The name of the selection, and of the page.
  public var title: String? {
    self.quake.map { "\($0.name) · Quakes" }
  }

  public static let template = Template<Self>([
    .attribute("hours", "data-hours", from: QuakesLocal.self) { $0.until.hours },
    .region("date") { QuakeDate($0.local) },
    .region("days") { QuakeDays($0.local) },
    .region("refreshMenu") { _ in RefreshMenu() },
    .region("deleteMenu") { DeleteMenu($0.local) },
    .flag("showsCharts") { $0.local.showsCharts },
    .link("closeCharts", QuakesLocal.self) { local, _ in local.showsCharts = false },
    .region("charts") { QuakeCharts($0.local) },
    .component("list") { QuakeList(local: $0.local) },
    .component("map") { QuakeMap(local: $0.local) },
  ])
}

// Values that are derived from the state.
extension Content {
  public static let references: [Reference<Self>] = [
    .selection(
      ["quakes": \.listSelection, "markers": \.mapSelection],
      of: QuakesState.selectQuake(quakeId:),
      once: Self.isRead
    ),
    Reference { local, state in
      guard let quakeId = local.sharedSelection else { return }
      if quakeId != local.listSelection {
        local.sharedSelection = nil
      } else if let quake = QuakesState.selectQuake(quakeId: quakeId)(state) {
        local.showDay(of: quake)
      }
    },
    // Every visible day has a bar.
    .selection(["days": \.shownDay], of: { day in { _ in day } }),
    .part(\.start, of: QuakesState.selectQuake(quakeId:), once: Self.isRead),
  ]

  /// An empty list may still be loading.
  private static func isRead(_ state: QuakesState) -> Bool {
    QuakesState.selectQuakesCount()(state) > 0
      || QuakesState.selectQuakesStatus()(state) == .success
  }

  public static let fetches: [Fetch<Self>] = [
    Fetch(.ui(.quakeList(.onAppear)), QuakesState.selectQuakesStatus()) { state in
      QuakesState.selectQuakesCount()(state) == 0
    }
  ]

  public static func check(
    _ fields: FormFields,
    _ local: QuakesLocal,
    _ state: QuakesState
  ) throws {
    try DeleteMenu.check(fields, local, state)
  }

  public static func status(of action: QuakesAction, in state: QuakesState) -> OperationStatus? {
    switch action {
    case .ui(.quakeList(.onTapRefreshQuakesButton)), .ui(.quakeList(.onTapLoadSampleButton)):
      QuakesState.selectQuakesStatus()(state)
    case .ui(.quakeList(.onTapDeleteSelectedQuakeButton)),
      .ui(.quakeList(.onTapRestoreQuakeButton)), .ui(.quakeList(.onTapRestoreQuakesButton)),
      .ui(.quakeList(.onTapDeleteAllQuakesButton)), .ui(.quakeList(.onAppear)),
      .ui(.quakeList(.onTapCancelRefreshButton)), .ui(.quakeList(.onTapDismissFailureButton)),
      .data:
      // Deleted quakes disappear immediately. If the deletion fails, they return with a message.
      nil
    }
  }
}

extension QuakesReducer.Error: RefusalConvertible {
  /// The message for the user.
  package var refusal: Refusal {
    switch self.code {
    case .quakeNotFound:
      Refusal(.unknown, "This earthquake is no longer in the list.")
    }
  }
}
