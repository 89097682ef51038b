import Foundation
import Testing

@testable import ImmutableServer

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
    "GMT+5:30", "GMT+05:30", "GMT+5", "UTC+0530", "UTC-1.30", "GMT+053", "Nowhere/Land", "",
  ])
  func `other spellings of an offset are not accepted`(identifier: String) {
    #expect(TimeZone(reported: identifier) == nil)
  }
}
