import Testing

@testable import ImmutableRuntime
@testable import ImmutableUI

struct PresenceTests {
  private let page = PagePath("/a")
  private let other = PagePath("/b")

  @Test func `windows get their number only when it has changed`() {
    var presence = Presence()

    #expect(presence.tell(self.page, isNew: true) == 1)
    presence.move(from: nil, to: self.page)
    #expect(presence.take() == [self.page: 1])
    #expect(presence.take() == [:])
    #expect(presence.tell(self.page, isNew: true) == 2)
    presence.move(from: nil, to: self.page)
    #expect(presence.take() == [self.page: 2])
    presence.move(from: self.page, to: self.other)
    #expect(presence.take() == [self.page: 1, self.other: 1])
    presence.move(from: self.page, to: nil)
    #expect(presence.take() == [self.page: 0])
  }

  @Test func `a window that got a number that did not last gets a new one`() {
    var presence = Presence()
    for _ in 0..<5 { presence.move(from: nil, to: self.page) }
    #expect(presence.take() == [self.page: 5])

    #expect(presence.tell(self.page, isNew: true) == 6)
    presence.move(from: nil, to: self.page)
    presence.move(from: self.page, to: nil)

    #expect(presence.take() == [self.page: 5])
  }

  @Test(arguments: [(99, 99), (100, 100), (119, 110), (1_999, 1_900), (10_234, 10_000)])
  func `large numbers of windows are rounded to two digits`(count: Int, told: Int) {
    var presence = Presence()
    for _ in 0..<count { presence.move(from: nil, to: self.page) }

    #expect(presence.take() == [self.page: told])
  }
}
