import HTMLTemplates
import ImmutableData
import ImmutableRuntime
import ImmutableUI
import Testing
import WindowTesting

private struct Bell: StoreState {
  typealias Action = BellAction

  var rings = 0
  var status: OperationStatus?

  static func status(of action: BellAction, in state: Self) -> OperationStatus? { state.status }

  static func toast(for action: BellAction, in state: Self) -> Toast<Self>? {
    Toast("Rung after \(state.rings).")
  }
}

private enum BellAction: Sendable {
  case didRing
}

private let ring = Form<BellAction>("ring") { .didRing }

private struct Front: Root, Presenter {
  typealias State = Bell

  init(_ local: NoLocalState) {}

  static let template = Template<Self>(named: "Bell", [.form("ring", ring)])
}

private struct Back: Root, Presenter {
  typealias State = Bell

  init(_ local: NoLocalState) {}

  static let template = Template<Self>(named: "Bell", [.form("ring", ring)])

  static func toast(for action: BellAction, in state: Bell) -> Toast<Bell>? {
    Toast("Rung behind.")
  }
}

/// What a state says about its actions, for all pages.
struct StoreStateTests {
  private func toast(at url: String, _ status: OperationStatus) async throws -> String? {
    let store = await Store(initialState: Bell()) { (state: Bell, _: BellAction) in
      Bell(rings: state.rings + 1, status: status)
    }
    let templates = TemplateLibrary(sources: ["Bell": "{{#ring}}<button>Ring</button>{{/ring}}"])
    let app = try TestApp(templates: templates) {
      Provider(store) {
        Page(Front.self, at: "/front", title: "Front")
        Page(Back.self, at: "/back", title: "Back")
      }
    }
    let window = try await app.open(url)
    try await window.submit("ring")
    try await app.settle()
    _ = try window.receive()
    return window.toast
  }

  @Test func `a page shows the toast of its state, or its own`() async throws {
    #expect(try await self.toast(at: "/front", .success) == "Rung after 0.")
    #expect(try await self.toast(at: "/back", .success) == "Rung behind.")
  }

  @Test func `a page asks its state how an action ended`() async throws {
    #expect(
      try await self.toast(at: "/front", .failure(error: "It is broken."))
        == "This did not work. It is broken.")
  }
}
