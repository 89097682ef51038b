import Foundation
import HashTreeCollections
import ImmutableData
import Synchronization

@testable import QuakesData

extension Date {
  /// 2018-02-07 00:00:00 UTC.
  static let day = Date(timeIntervalSince1970: 1_517_961_600)

  static func + (date: Self, hours: Int) -> Self {
    date.addingTimeInterval(Double(hours) * 3_600)
  }
}

extension Quake {
  static func make(
    _ quakeId: String = "a",
    magnitude: Double = 1,
    time: Date = .day,
    updated: Date = .day,
    name: String = "Alaska",
    longitude: Double = -150,
    latitude: Double = 61
  ) -> Self {
    Self(
      quakeId: quakeId,
      magnitude: magnitude,
      time: time,
      updated: updated,
      name: name,
      longitude: longitude,
      latitude: latitude
    )
  }

  /// The quakes of the tests, and one that is new.
  static let a = Self.make("a")
  static let b = Self.make("b", magnitude: 2)
  static let c = Self.make("c", magnitude: 3)
  static let d = Self.make("d", magnitude: 4)
}

extension QuakesState {
  /// A state with these values, each under its own id.
  static func make(
    _ quakes: [Quake] = [],
    status: Status? = nil,
    skipped: Int = 0
  ) -> Self {
    var state = Self(
      quakes: Quakes(
        data: TreeDictionary(uniqueKeysWithValues: quakes.map { ($0.id, $0) }),
        status: status
      )
    )
    state.quakes.skipped = skipped
    return state
  }

  /// `a`, `b` and `c` are there, and nothing is under way.
  static let fetched = Self.make([.a, .b, .c], status: .success)
}

typealias QuakesStore = Store<QuakesState, QuakesAction>
