import Foundation
import ImmutableUI
import Testing

struct TimeZoneTests {
  @Test(arguments: [
    "Europe/Berlin", "Asia/Kolkata", "Asia/Calcutta", "Etc/GMT-5", "UTC", "GMT", "GMT+0530",
    "EST5EDT",
  ])
  func `zones are found by the identifiers that browsers report`(identifier: String) {
    #expect(TimeZone(reported: identifier) != nil)
    #expect(TimeZone(reported: identifier) == TimeZone(identifier: identifier))
  }

  @Test(arguments: [
    "GMT+5:30", "GMT+05:30", "GMT+5", "UTC+0530", "UTC-1.30", "GMT+053", "gmt+5:30", "gMT+0530",
    "Gmt-05:30:15", "utc+5", "Nowhere/Land", "",
  ])
  func `other spellings of an offset are not accepted`(identifier: String) {
    #expect(TimeZone(reported: identifier) == nil)
  }

  @Test(arguments: ["Europe/Berlin\0", "Europe/Berlin\u{0}1", "\0Europe/Berlin", "GMT+0530\0"])
  func `nothing is hidden behind a NUL, where Foundation ends a name`(identifier: String) {
    // Foundation accepts what follows only once it knows the zone.
    #expect(TimeZone(identifier: "Europe/Berlin")?.secondsFromGMT(for: .distantPast) != nil)

    #expect(TimeZone(reported: identifier) == nil)
  }
}
