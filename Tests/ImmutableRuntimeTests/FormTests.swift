import Fixture
import ImmutableData
import ImmutableRuntime
import ImmutableUI
import Testing
import WindowTesting

@MainActor struct FormTests {
  @Test func `a field that is missing is refused and nothing changes`() async throws {
    let fixture = try FixtureApp()
    let window = try await fixture.app.open("/fixture")

    let answer = try await window.submit("add", ["name": "  "])

    guard case .refused(let refusal, version: 0) = answer else {
      Issue.record("\(answer) is not a refusal")
      return
    }
    #expect(refusal == Refusal(field: "name", "Enter a name."))
    try await window.expectNothing()
    try await fixture.app.finish()
  }

  @Test func `what the reducer refuses is refused`() async throws {
    let fixture = try FixtureApp()
    let window = try await fixture.app.open("/fixture")

    let answer = try await window.submit("add", ["name": "Ant"])

    guard case .refused(let refusal, version: 0) = answer else {
      Issue.record("\(answer) is not a refusal")
      return
    }
    #expect(refusal.kind == .conflict)
    try await fixture.app.finish()
  }

  @Test func `a refused submission can be mended and sent again`() async throws {
    let fixture = try FixtureApp()
    let window = try await fixture.app.open("/fixture")

    try await window.submit("add", ["name": ""], token: "one")
    try await window.submit("add", ["name": "Dog"], token: "one")

    try await window.expect("4 items")
    try await fixture.app.finish()
  }

  @Test func `submissions that are sent at once take effect once`() async throws {
    let fixture = try FixtureApp()
    let window = try await fixture.app.open("/fixture")

    await withThrowingTaskGroup { group in
      for _ in 0..<20 {
        group.addTask { _ = try await window.submit("tick", token: "one") }
      }
    }

    #expect(fixture.store.state.ticks == 1)
    try await window.expect("Ticks: 1")
  }

  @Test(arguments: ["didLoad", "data", "", "onTapTickButton"])
  func `what no form makes cannot be posted`(form: String) async throws {
    let fixture = try FixtureApp()

    let answer = try await fixture.app.windows.submit(
      FormFields(Query([QueryItem(name: FormField.form, value: form)])),
      to: "/fixture",
      session: Identifier(),
      window: nil
    )

    guard case .refused(let refusal, version: 0) = answer else {
      Issue.record("\(answer) is not a refusal")
      return
    }
    #expect(refusal.kind == .unknown)
    try await fixture.app.finish()
  }

  @Test func `posts are refused while listeners are far behind`() async throws {
    var configuration = WindowGroup.Configuration()
    configuration.backlog = 5
    let fixture = try FixtureApp(configuration: configuration)
    let stream = fixture.store.makeStream()
    let window = try await fixture.app.open("/fixture")

    for _ in 0..<6 {
      try await window.submit("tick")
    }

    let error = await #expect(throws: WindowError.self) { try await window.submit("tick") }
    #expect(error?.code == .overloaded)
    withExtendedLifetime(stream) {}
  }
}
