import Foundation
import TestSupport
import Testing

@testable import QuakesUI

@Suite struct UTCTimeTests {
  private static let style = Date.FormatStyle(
    date: .abbreviated, time: .shortened, locale: Locale(identifier: "en_US"), timeZone: .gmt)

  /// Seconds since 1970: the first, around leap days, and the last.
  @Test(
    arguments: [
      0, 68_255_999, 68_256_000, 951_782_399, 951_868_799.9, 4_107_542_400, 253_402_300_799,
    ] as [TimeInterval])
  func `a time is written as Foundation formats it`(seconds: TimeInterval) throws {
    let date = Date(timeIntervalSince1970: seconds)

    let time = try #require(UTCTime(date))

    #expect(time.text == date.formatted(Self.style))
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `any time is written as Foundation formats it`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<1_000 {
      try self.`a time is written as Foundation formats it`(
        seconds: .random(in: 0..<8_000_000_000, using: &random))
    }
  }

  @Test(arguments: [-1, -0.5, 253_402_300_800, .infinity, .nan] as [TimeInterval])
  func `a time before 1970 or after 9999 is left to Foundation`(seconds: TimeInterval) {
    #expect(UTCTime(Date(timeIntervalSince1970: seconds)) == nil)
  }
}
