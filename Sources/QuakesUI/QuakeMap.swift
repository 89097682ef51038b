import HTMLTemplates
import ImmutableUI
import QuakesData

/// The world, with the earthquakes that the list shows.
///
/// Source: the guide, chapter QuakesUI, section QuakeMap.
struct QuakeMap: Presenter {
  static let assets: [Asset] = [.style("map.css"), .module("camera.js"), .module("copy.js")]

  let local: QuakesLocal

  static let template = Template<Self>([
    .region("title") {
      QuakeMapTitle(mapSelection: $0.local.mapSelection, timeZone: $0.local.timeZone)
    },
    .attribute("viewBox", "viewBox", from: QuakesLocal.self) { $0.camera.viewBox },
    .region("markers", in: .g) { QuakeMarkers(search: $0.local.search) },
    .region("selection", in: .g) {
      SelectedQuakeMarker(mapSelection: $0.local.mapSelection, search: $0.local.search)
    },
    .region("limit") { QuakeMapLimit(search: $0.local.search) },
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
  /// Attributes of a link that moves the camera.
  fileprivate static func camera(
    _ name: String,
    _ move: @escaping @Sendable (MapCamera) -> MapCamera
  ) -> Slot {
    .lateLink(name, QuakesLocal.self) { $0.camera = move($0.camera) }
  }
}
