import ImmutableUI
import QuakesData

/// A map of the world with the listed earthquakes.
///
/// Source: the guide, chapter QuakesUI, section QuakeMap.
struct QuakeMap: Presenter {
  // On phones, hover.js loads drawer.js. Once somebody looks closely, camera.js loads details.js.
  static let assets: [Asset] = [
    .style("map.css"), .module("camera.js"), .module("hover.js"), .module("copy.js"),
  ]

  let local: QuakesLocal

  static let template = Template<Self>([
    .region("title") { QuakeMapTitle($0.local) },
    .attribute("viewBox", "viewBox", from: QuakesLocal.self) { $0.camera.viewBox },
    .attribute("levels", "data-levels", from: QuakesLocal.self) { $0.camera.levels },
    .attribute("textSize", "font-size", from: QuakesLocal.self) { $0.camera.textSize },
    .attribute("detail", "data-detail", from: QuakesLocal.self) {
      $0.camera.isNear ? "fine" : "coarse"
    },
    .detail("world"),
    .detail("plates", of: "plates-near.svg"),
    .detail("names-2"),
    .detail("names-3"),
    .detail("names-4"),
    .detail("names-5"),
    .detail("names-6"),
    .detail("names-7"),
    .attribute("copies", "href", from: QuakesLocal.self) {
      $0.camera.passesDateLine ? "#marks" : "#none"
    },
    .region("markers", in: .g) { QuakeMarkers($0.local) },
    .region("selection", in: .g) { SelectedQuakeMarker($0.local) },
    .region("fit") { QuakeMapFit($0.local) },
    .region("limit") { QuakeMapLimit($0.local) },
    .component("timeline") { _ in QuakeTimeline() },
    .camera("zoomIn") { $0.zoomed(by: 2) },
    .camera("zoomOut") { $0.zoomed(by: 0.5) },
    .camera("showAll") { _ in .world },
    .camera("left") { $0.moved(x: -0.25, y: 0) },
    .camera("right") { $0.moved(x: 0.25, y: 0) },
    .camera("up") { $0.moved(x: 0, y: -0.25) },
    .camera("down") { $0.moved(x: 0, y: 0.25) },
  ])
}

extension Slot {
  /// The address of a part that only higher zoom levels need. Browsers load its file then.
  fileprivate static func detail(_ name: String, of file: String = "world.svg") -> Slot {
    .attribute(name, "href", from: QuakesLocal.self) {
      $0.camera.isNear ? "/public/QuakesUI/\(file)#\(name)" : "#none"
    }
  }

  /// Attributes of a link that moves the camera.
  fileprivate static func camera(
    _ name: String,
    _ move: @escaping @Sendable (MapCamera) -> MapCamera
  ) -> Slot {
    .lateLink(name, QuakesLocal.self) { $0.camera = move($0.camera) }
  }
}
