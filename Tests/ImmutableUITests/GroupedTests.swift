import Foundation
import Testing

@testable import ImmutableUI

struct GroupedTests {
  @Test(arguments: [0, 7, 999, 1_000, 12_345_678, -1, -999, -1_000, .max, .min] as [Int])
  func `numbers are written as Foundation formats them`(number: Int) {
    #expect(number.grouped == number.formatted(.number.locale(Locale(identifier: "en_US"))))
  }
}
