import Fixture
import HTMLTemplates
import ImmutableData
import Testing
import WindowTesting

@testable import ImmutableRuntime
@testable import ImmutableUI

private struct Local: LocalState {
  var search = ""
  var order = Order.forward
  var selected: String?
  var tags: [String] = []

  static let parameters: [Parameter<Self>] = [
    Parameter("search", \.search), Parameter("order", \.order), Parameter("selected", \.selected),
    Parameter(Field<[String]>.several("tag"), \.tags),
  ]
}

extension LocalChange<Local> {
  fileprivate mutating func dismiss() {
    self.selected = nil
    self.search = ""
  }
}

struct LocalChangeTests {
  private func items(_ change: (inout LocalChange<Local>) -> Void) -> String {
    Query(LocalChange.items(change)).text
  }

  @Test func `a change is what was set`() {
    #expect(self.items { $0.order = .reverse } == "order=reverse")
    #expect(self.items { _ in } == "")
  }

  @Test func `what is set to its default leaves the URL`() {
    #expect(self.items { $0.dismiss() } == "selected=&search=")
    #expect(self.items { $0.order = .forward } == "order=")
  }

  @Test func `a parameter without text has its default`() {
    #expect(Local(Query("selected=&search=&order=&tag=")) == Local())
  }

  @Test func `what is set twice is what it was last`() {
    let text = self.items {
      $0.selected = "a"
      $0.search = "b"
      $0.selected = "c"
    }

    #expect(text == "selected=c&search=b")
  }

  @Test func `several values are several parameters of one name`() {
    let text = self.items { $0.tags = ["a", "b"] }
    let local = Local(Query("search=x").setting(Query(text).items))

    #expect(text == "tag=a&tag=b")
    #expect(local.tags == ["a", "b"])
    #expect(local.query.text == "search=x&tag=a&tag=b")
  }

  @Test func `what a parameter may not hold is not set`() {
    #expect(self.items { $0.search = String(repeating: "a", count: 300) } == "search=")
  }

  @Test func `a property that is no parameter is a programmer error`() async {
    struct Odd: LocalState {
      var other = 0
      static let parameters: [Parameter<Self>] = []
    }
    await #expect(processExitsWith: .failure) {
      _ = LocalChange<Odd>.items { $0.other = 1 }
    }
  }
}
