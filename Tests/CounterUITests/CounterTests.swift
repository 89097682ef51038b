import CounterData
import CounterUI
import Foundation
import HTMLTemplates
import ImmutableData
import ImmutableRuntime
import ImmutableUI
import Testing
import WindowTesting

/// The counter served alone, with a store of its own.
@MainActor struct CounterTests {
  private func makeApp(_ value: Int = 0) throws -> TestApp {
    let store = Store(
      initialState: CounterState(value),
      reducer: CounterReducer.reduceOrRefuse
    )
    return try TestApp(templates: .project) {
      Provider(store) { Content.page() }
    }
  }

  @Test func `a window shows the value and both buttons`() async throws {
    let app = try self.makeApp(-3)

    let window = try await app.open("/counter")

    #expect(window.text == "Counter \u{2212}3 Value: -3 Decrement Increment")
    try await app.finish()
  }

  @Test func `every window sees the new value`() async throws {
    let app = try self.makeApp()
    let window = try await app.open("/counter")
    let other = try await app.open("/counter")

    try await window.submit("increment")

    try await window.expect("Value: 1")
    try await other.expect("Value: 1")
    try await app.finish()
  }

  @Test func `every deliberate tap counts, and a resent one does not`() async throws {
    let app = try self.makeApp()
    let window = try await app.open("/counter")

    try await window.submit("increment")
    try await window.submit("increment", token: "same")
    try await window.submit("increment", token: "same")
    try await window.submit("decrement")

    try await window.expect("Value: 1")
    try await app.finish()
  }

  @Test(arguments: zip([Int.max, Int.min], ["increment", "decrement"]))
  func `a tap past the range of Int is refused with a message`(
    value: Int,
    form: String
  ) async throws {
    let app = try self.makeApp(value)
    let window = try await app.open("/counter")

    let answer = try await window.submit(form)

    guard case .refused(let refusal, version: 0) = answer else {
      Issue.record("\(answer) is not a refusal")
      return
    }
    #expect(refusal.kind == .conflict)
    #expect(refusal.message.contains("Go the other way"))
    try await window.expectNothing()
    #expect(window.text.contains("Value: \(value)"))
    try await app.finish()
  }

  @Test func `a thousand windows cost one render`() async throws {
    let app = try self.makeApp()
    var windows: [TestWindow] = []
    for _ in 0..<1_000 {
      windows.append(try await app.open("/counter"))
    }
    let before = app.windows.counts

    try await windows[0].submit("increment")

    let counts = app.windows.counts - before
    #expect(counts.regionRenders == 1)
    #expect(counts.outputRuns == 1)
    #expect(counts.diffs == 1)
    for window in windows {
      try await window.expect("Value: 1")
    }
    try await app.finish()
  }
}

extension TemplateLibrary {
  /// The templates of this project.
  static var project: TemplateLibrary {
    TemplateLibrary(
      directory: URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Templates").path
    )
  }
}
