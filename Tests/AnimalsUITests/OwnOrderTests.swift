import AnimalsData
import ImmutableRuntime
import ImmutableUI
import Testing
import WindowTesting

@testable import AnimalsUI

struct OwnOrderTests {
  @Test func `a list is sorted by name or in the users' own order`() async throws {
    let fixture = try await AnimalsFixture()
    let own = try await fixture.open("?category=Mammal&order=own")
    let byName = try await fixture.open("?category=Mammal")
    #expect(own.text.contains("Cat × Dog × Red kangaroo × Southern gibbon ×"))

    try await own.submit("rows", ["row": "move~Dog~~Cat"])
    try await fixture.app.settle()

    try await own.expect("Dog × Cat × Red kangaroo × Southern gibbon ×")
    _ = try byName.receive()
    #expect(byName.text.contains("Cat × Dog × Red kangaroo × Southern gibbon ×"))
    let all = try await fixture.open("?all=true&order=own")
    #expect(all.text.contains("Dog Mammal × Cat Mammal × House sparrow"))
    try await fixture.app.finish()
  }

  @Test func `buttons move a row by one place, but not beyond the ends`() async throws {
    let fixture = try await AnimalsFixture()
    let window = try await fixture.open("?category=Mammal&order=own")

    #expect(
      window.buttons == [
        "Move Cat down: Cat~Dog~Kangaroo", "Move Dog up: Dog~~Cat",
        "Move Dog down: Dog~Kangaroo~Bibbon", "Move Red kangaroo up: Kangaroo~Cat~Dog",
        "Move Red kangaroo down: Kangaroo~Bibbon~",
        "Move Southern gibbon up: Bibbon~Dog~Kangaroo",
      ])
    for end in ["Move Cat up", "Move Southern gibbon down"] {
      let isDisabled = window.html.split(separator: "<button").contains {
        $0.contains("aria-label=\"\(end)\"") && $0.contains("aria-disabled=\"true\"")
      }
      #expect(isDisabled, "\(end)")
    }
    try await fixture.app.finish()
  }

  @Test func `moves made at once in two windows are both applied`() async throws {
    let fixture = try await AnimalsFixture()
    let window = try await fixture.open("?category=Mammal&order=own")
    let other = try await fixture.open("?category=Mammal&order=own")

    try await window.submit("rows", ["row": "move~Kangaroo~~Cat"])
    try await other.submit("rows", ["row": "move~Bibbon~~Cat"])
    try await fixture.app.settle()

    try await window.expect("Southern gibbon × Red kangaroo × Cat × Dog ×")
    try await other.expect("Southern gibbon × Red kangaroo × Cat × Dog ×")
    try await fixture.app.finish()
  }

  @Test func `a move sends only the rows it affects`() async throws {
    let animals = (0..<400).map { Animal.make("a\(100 + $0)", "Animal \(100 + $0)") }
    let fixture = try await AnimalsFixture(MemoryStore(animals))
    let window = try await fixture.open("?category=Mammal&order=own")

    try await window.submit("rows", ["row": "move~a300~a298~a299"])
    try await fixture.app.settle()

    let pushes = try window.receive()
    #expect(pushes.isEmpty == false)
    #expect(pushes.allSatisfy { $0.data.utf8.count < 20_000 })
    #expect(window.text.contains("Animal 300 × Animal 299 ×"))
    try await fixture.app.finish()
  }

  @Test(arguments: [
    ["row": "move~Unicorn~~Cat"], ["row": "move~Dog~Unicorn~Dragon"], ["row": "move~Dog"],
    ["row": "move~~Cat~"], ["row": ""],
  ])
  func `an invalid move is refused`(fields: [String: String]) async throws {
    let fixture = try await AnimalsFixture()
    let window = try await fixture.open("?category=Mammal&order=own")

    let answer = try await window.submit("rows", fields)

    guard case .refused = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(window.text.contains("Cat × Dog × Red kangaroo × Southern gibbon ×"))
    try await fixture.app.finish()
  }

  @Test(arguments: ["own", "name", "size"])
  func `the order is in the URL`(order: String) async throws {
    let fixture = try await AnimalsFixture()

    let window = try await fixture.open("?category=Mammal&order=\(order)")

    #expect(
      window.url
        == (order == "own" ? "/animals?category=Mammal&order=own" : "/animals?category=Mammal"))
    try await fixture.app.finish()
  }

  @Test(arguments: [
    RowAction.move("a~b", after: "100%", before: nil), .move("%7E", after: nil, before: "~"),
    .delete("a~b"), .mark("%7E", isFavorite: true), .mark("~", isFavorite: false),
    .put("a~b", into: "100%"),
  ])
  func `a button's action can have any id`(action: RowAction) {
    #expect(RowAction(action.description) == action)
  }
}

extension TestWindow {
  /// What the buttons of moves send.
  fileprivate var buttons: [String] {
    self.html.matches(of: /value="move~([^"]*)"[^>]* aria-label="([^"]*)"/)
      .map { "\($0.2): \($0.1)" }
  }
}
