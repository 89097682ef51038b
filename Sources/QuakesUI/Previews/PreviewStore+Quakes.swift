import Foundation
import ImmutableUI
import QuakesData

// Sample states of the earthquakes, on the day of previews and the days before.
extension PreviewStore<QuakesState> {
  /// A few earthquakes of a day.
  static var sample: Self {
    .with([
      .preview(
        "us1", 2.3, "10 km NE of Anchorage, Alaska", hour: 1, at: (-149.8, 61.3), depth: 41.2),
      .preview(
        "us2", 5.1, "San José, Costa Rica", hour: 4, at: (-84.1, 9.9), depth: 10, felt: 1_204),
      .preview("us3", 7.4, "Tonga region", hour: 9, at: (-175.2, -21.1), depth: 548),
      .preview("us4", 1.2, "5 km W of Cobb, California", hour: 10, at: (-122.8, 38.8), depth: 1.9),
      .preview(
        "us5", 4.6, "Near the east coast of Honshu, Japan", hour: 11, at: (142, 38), depth: 35),
      .preview("us6", 3.3, "Central Italy", hour: -13, at: (13.2, 42.7)),
      .preview("us7", 6.4, "18 km NNE of Hualian, Taiwan", hour: -9, at: (121.7, 24.2), depth: 17),
    ])
  }

  /// An earthquake with a long name, in the same place as another one.
  static var longName: Self {
    .with([
      .preview(
        "us1", 4.9,
        "South-southwest of the Kermadec Islands, near the volcano of Monowai, New Zealand",
        hour: 2, at: (-177.9, -31.1), depth: 33.6, felt: 1),
      .preview(
        "us2", 2.6, String(repeating: "Llanfair", count: 9), hour: 3, at: (-177.8, -31), depth: 5),
    ])
  }

  /// More earthquakes than the map shows, and than fit into a part of a list.
  static var many: Self { .numbered(1_001) }

  /// Enough earthquakes for charts.
  static var hundred: Self { .numbered(100) }

  private static func numbered(_ count: Int) -> Self {
    .with(
      (0..<count).map { (number: Int) -> Quake in
        let longitude = Double(number * 37 % 360 - 180)
        let latitude = Double(number * 11 % 140 - 70)
        return .preview(
          "us\(number)",
          Double(number % 70 + 1) / 10,
          "Earthquake \(number)",
          hour: Double(number) / 100,
          at: (longitude, latitude),
          depth: Double(number % 600)
        )
      })
  }

  /// Nothing was requested yet.
  private static var none: Self { PreviewStore(QuakesState()) }

  /// Everything was read, and there are no earthquakes.
  static var empty: Self { .with([]) }

  /// A refresh is in progress.
  static var refreshing: Self {
    .sample.after(.ui(.quakeList(.onTapRefreshQuakesButton(range: .allDay))))
  }

  /// Nothing has been read yet.
  static var waiting: Self { .none.after(.ui(.quakeList(.onAppear))) }

  /// The feed could not be read.
  static var failed: Self {
    .refreshing.after(
      .data(
        .persistentSession(
          .remoteStore(.didFetchQuakes(result: .failure(error: "The feed does not answer."))))))
  }

  /// Some of the feed could not be read.
  static var skipped: Self {
    .sample.after(.data(.persistentSession(.remoteStore(.didSkipFeatures(count: 3)))))
  }

  private static func with(_ quakes: [Quake]) -> Self {
    .none.after(
      .data(.persistentSession(.localStore(.didFetchQuakes(result: .success(quakes: quakes))))))
  }

  private func after(_ action: QuakesAction) -> Self {
    self.after([action], QuakesReducer.reduce)
  }
}

extension Quake {
  /// - Parameters:
  ///   - hour: The hour on the day of previews, in UTC.
  ///   - place: Longitude and latitude.
  fileprivate static func preview(
    _ quakeId: String,
    _ magnitude: Double,
    _ name: String,
    hour: Double,
    at place: (Double, Double),
    depth: Double? = nil,
    felt: Int? = nil
  ) -> Self {
    let time = WindowEnvironment.preview.date.addingTimeInterval((hour - 12) * 3_600)
    return Self(
      quakeId: quakeId,
      magnitude: magnitude,
      time: time,
      updated: time,
      name: name,
      longitude: place.0,
      latitude: place.1,
      depth: depth,
      felt: felt
    )
  }
}

extension Surroundings {
  /// The pane of the list.
  static let list = Self(
    "<div class=\"quakes\"><section class=\"pane\" aria-label=\"Preview\"><div data-region=\"list\">",
    "</div></section></div>"
  )

  /// The day, above the panes.
  static let days = Self(
    "<div class=\"quakes\"><section class=\"days\" aria-label=\"Preview\"><div class=\"bar\">",
    "</div></section></div>"
  )

  /// The part above the panes and below the day.
  static let strip = Self(
    "<div class=\"quakes\"><section class=\"days\" aria-label=\"Preview\"><div data-region=\"days\">",
    "</div></section></div>"
  )

  /// The tools beside the day.
  static let tools = Self(
    """
    <div class="quakes"><section class="days" aria-label="Preview"><div class="bar"><div class="tools">
    """,
    "</div></div></section></div>"
  )

  /// The charts.
  static let charts = Self(
    "<section class=\"charts\" aria-label=\"Preview\"><div data-region=\"charts\">",
    "</div></section>")

  /// The map's picture, of the whole world.
  static let world = Self(
    """
    <div class="quakes"><section class="pane" aria-label="Preview"><div class="map">\
    <svg viewBox="-180 -132 360 264" data-levels="0 1" font-size="6" role="group" aria-label="Map">
    """,
    "</svg></div></section></div>"
  )

  /// The content of the map.
  static let map = Self(
    "<div class=\"quakes\"><section class=\"pane\" aria-label=\"Preview\"><div class=\"map\">",
    "</div></section></div>"
  )
}
