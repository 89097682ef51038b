import HTMLTemplates
public import ImmutableUI
public import QuakesData

/// The earthquakes of a day, in a list and on a map.
///
/// Source: the guide, chapter QuakesUI, section Content.
public struct Content: Root {
  public typealias State = QuakesState

  public static let assets: [Asset] = [.style("quakes.css")]

  private let local: QuakesLocal
  @SelectQuake private var quake: Quake?

  public init(_ local: QuakesLocal = QuakesLocal()) {
    self.local = local.withoutCamera
    self._quake = SelectQuake(quakeId: local.listSelection)
  }

  /// What is selected, and where it is.
  public var title: String? {
    self.quake.map { "\($0.name) · Quakes" }
  }

  public var body: some Component {
    Presenter(local: self.local)
  }
}

// Local state.
extension Content {
  public static func check(
    _ fields: FormFields,
    _ local: QuakesLocal,
    _ state: QuakesState
  ) throws {
    try DeleteMenu.check(fields, local, state)
  }

  public static func normalize(_ local: QuakesLocal, _ state: QuakesState) -> QuakesLocal {
    var local = local
    local.normalize(state)
    return local
  }

  public static func overlay(_ local: QuakesLocal) -> Overlay {
    let isCurrent = ["aria-current": "true"]
    return Overlay(list: "quakes", key: local.listSelection, attributes: isCurrent)
      .merging(Overlay(list: "markers", key: local.mapSelection, attributes: isCurrent))
  }
}

// Effects.
extension Content {
  public static func onAppear(_ local: QuakesLocal, _ state: QuakesState) -> [QuakesAction] {
    QuakesState.selectQuakesStatus()(state) == nil ? [.ui(.quakeList(.onAppear))] : []
  }

  public static func isWaiting(_ local: QuakesLocal, _ state: QuakesState) -> Bool {
    QuakesState.selectQuakesStatus()(state) == .waiting
  }

  public static func status(of action: QuakesAction, in state: QuakesState) -> EffectStatus? {
    switch action {
    case .ui(.quakeList(.onTapRefreshQuakesButton)), .ui(.quakeList(.onTapLoadSampleButton)):
      EffectStatus(QuakesState.selectQuakesStatus()(state))
    case .ui(.quakeList(.onTapDeleteSelectedQuakeButton)),
      .ui(.quakeList(.onTapDeleteAllQuakesButton)), .ui(.quakeList(.onAppear)), .data:
      // What is deleted is gone at once; should that fail, it comes back, and a message with it.
      nil
    }
  }
}

extension Content {
  private struct Presenter: ImmutableUI.Presenter {
    let local: QuakesLocal

    static let template = Template<Self>([
      .component("list") { QuakeList($0.local) },
      .component("map") { QuakeMap($0.local) },
      .flag("isDeletingAll") { $0.local.sheet.value == .deleteAll },
      .region("deleteAll") { _ in DeleteAllAlert() },
    ])
  }
}

extension Content {
  /// The page that shows the earthquakes.
  ///
  /// - Parameter path: Where it is served.
  public static func page(at path: String = "/quakes") -> Page<Self> {
    Page(Self.self, at: path, title: "Quakes")
  }
}

extension QuakesReducer.Error: RefusalConvertible {
  /// What the user is told.
  package var refusal: Refusal {
    switch self.code {
    case .quakeNotFound:
      Refusal(.unknown, "This earthquake has been deleted in the meantime.")
    }
  }
}
