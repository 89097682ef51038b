import Foundation
import Testing

@testable import QuakesUI

@Suite struct ClockTimeTests {
  @Test(
    arguments: [
      ("0000", "12:00 AM"), ("0905", "9:05 AM"), ("1200", "12:00 PM"), ("2359", "11:59 PM"),
    ])
  func `a time is written the way people say it`(text: String, said: String) throws {
    let time = try #require(ClockTime(text))

    #expect(time.text == said)
    #expect(time.description == text)
  }

  @Test(arguments: ["", "905", "2400", "0960", "-100", "09:05", "00905", "٠٩٠٥"])
  func `text that is not a time is rejected`(text: String) {
    #expect(ClockTime(text) == nil)
  }

  @Test func `the clock steps by whole hours, from the first hour to the whole day`() {
    func earlier(_ text: String?) -> String? {
      text.flatMap { ClockTime($0) }.anHourEarlier?.description
    }
    func later(_ text: String?) -> String? {
      text.flatMap { ClockTime($0) }.anHourLater?.description
    }

    #expect(
      [nil, "0905", "0900", "0100", "0000"].map(earlier) == [
        "2300", "0900", "0800", "0100", "0100",
      ])
    #expect(
      [nil, "0905", "0900", "2300", "0000"].map(later) == [nil, "1000", "1000", nil, "0100"])
  }

  @Test func `the style sheet gets the hours that are over`() {
    #expect(ClockTime("0259").hours == "timed 00 01")
    #expect(ClockTime("0000").hours == "timed")
    #expect(ClockTime?.none.hours == "all")
  }
}
