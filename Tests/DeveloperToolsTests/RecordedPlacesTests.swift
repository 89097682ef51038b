import Foundation
import ImmutableUI
import Testing

@testable import DeveloperTools

struct RecordedPlacesTests {
  private static let beginning = RecordedPage.Beginning(
    "/", WindowEnvironment(timeZone: .gmt, date: Date(timeIntervalSince1970: 0)))

  /// A page that begins at a place of its own.
  private static func page(_ version: UInt64) -> RecordedPage {
    RecordedPage(place: Int(version), version: version, begins: Self.beginning, tags: [:])
  }

  @Test func `pages wait for their version`() {
    var places = RecordedPlaces()
    for (line, version) in [(1, 3), (2, 1), (3, 3), (4, 2)] as [(Int, UInt64)] {
      places.add(Self.page(version), line: line)
    }

    #expect(places.next(through: 0)?.line == nil)
    #expect(places.next(through: 1)?.line == 2)
    #expect(places.next(through: 1)?.line == nil)
    #expect(places.next(through: 3)?.line == 4)
    #expect(places.next(through: 3)?.line == 1)
    #expect(places.next(through: 3)?.line == 3)
    #expect(places.next(through: .max)?.line == nil)
    #expect(places.waiting.isEmpty)
  }

  /// Each version looked at all pages that wait.
  @Test(.timeLimit(.minutes(5)))
  func `a hundred thousand pages wait for as many versions`() {
    let count: UInt64 = 100_000
    var places = RecordedPlaces()
    for version in 1...count { places.add(Self.page(version), line: Int(version)) }

    let lines = (1...count).map { places.next(through: $0)?.line }

    #expect(lines == Array(1...Int(count)))
  }
}
