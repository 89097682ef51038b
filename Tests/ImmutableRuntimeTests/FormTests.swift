import Fixture
import ImmutableData
import ImmutableRuntime
import ImmutableUI
import TestSupport
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

  @Test func `a post that the reducer refuses is refused`() async throws {
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

  @Test func `a refused submission can be corrected and sent again`() async throws {
    let fixture = try FixtureApp()
    let window = try await fixture.app.open("/fixture")

    try await window.submit("add", ["name": ""], token: "one")
    try await window.submit("add", ["name": "Dog"], token: "one")

    try await window.expect("4 items")
    try await fixture.app.finish()
  }

  @Test func `the same submission sent concurrently takes effect once`() async throws {
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
  func `a post of an unknown form is refused`(form: String) async throws {
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
    configuration.backlog = 20  // of which one client may have a quarter
    let fixture = try FixtureApp(configuration: configuration)
    let stream = fixture.store.makeStream()
    let window = try await fixture.app.open("/fixture")

    for _ in 0..<5 {
      try await window.submit("tick")
    }

    let error = await #expect(throws: WindowError.self) { try await window.submit("tick") }
    #expect(error?.code == .overloaded)
    withExtendedLifetime(stream) {}
  }

  @Test func `a client with too many posts in the backlog does not keep others from posting`()
    async throws
  {
    var configuration = WindowGroup.Configuration()
    configuration.backlog = 8
    let fixture = try FixtureApp(configuration: configuration)
    let stream = fixture.store.makeStream()
    let posts = (0..<12).map { ["greedy", "other", "third", "fourth"][$0 / 3] } + ["late"]

    var accepted: [Bool] = []
    for address in posts {
      do {
        _ = try await fixture.app.windows.submit(
          FormFields(Query([QueryItem(name: FormField.form, value: "tick")])),
          to: "/fixture",
          session: Identifier(),
          window: nil,
          requester: Requester(network: address)
        )
        accepted.append(true)
      } catch let error as WindowError where error.code == .overloaded {
        accepted.append(false)
      }
    }

    #expect(accepted == (0..<12).map { $0 % 3 < 2 } + [false])
    withExtendedLifetime(stream) {}
  }

  @Test func `posts are refused while those before have too many bytes`() async throws {
    var configuration = WindowGroup.Configuration()
    configuration.backlogBytes = 200_000  // of which one client may have a quarter
    let fixture = try FixtureApp(configuration: configuration)
    let stream = fixture.store.makeStream()
    let window = try await fixture.app.open("/fixture")
    let name = String(repeating: "a", count: 20_000)

    for number in 0..<2 {
      try await window.submit("add", ["name": "\(name)\(number)"])
    }

    let error = await #expect(throws: WindowError.self) {
      try await window.submit("add", ["name": name])
    }
    #expect(error?.code == .overloaded)
    // Once the listener has read them, there is room again.
    let reading = Task { for await _ in stream {} }
    defer { reading.cancel() }
    while fixture.store.backlog > 0 { await letOthersGoOn() }
    try await window.submit("add", ["name": name])
  }
}
