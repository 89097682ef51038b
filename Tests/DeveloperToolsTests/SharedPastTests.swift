import CounterData
import CounterUI
import Foundation
import HTMLTemplates
import ImmutableData
import ImmutableRuntime
import ImmutableUI
import Testing
import WindowTesting

/// What pages in past states share with those that somebody looked at just before.
@MainActor struct SharedPastTests {
  private let store = ImmutableData.Store(
    initialState: CounterState(0), reducer: CounterReducer.reduceOrRefuse)

  private func windows(_ templates: TemplateLibrary = .project) throws -> WindowGroup {
    let store = self.store
    return try TestApp(templates: templates) { Provider(store) { CounterUI.Content.page() } }
      .windows
  }

  @Test func `several developers look at different states at once`() async throws {
    let windows = try self.windows()
    let environment = WindowEnvironment(timeZone: .gmt)
    let states = (0..<20).map { CounterState($0) }
    let expected = states.map { state in
      windows.regions("/counter", in: state, environment: environment)?
        .first { $0.name == "number" }?.tag
    }

    let wrong = await withTaskGroup(of: Int.self) { group in
      for _ in 1...8 {
        group.addTask {
          states.indices.count { index in
            let tag = windows.tag(
              of: "number", at: "/counter", in: states[index], environment: environment)
            return tag != expected[index]
          }
        }
      }
      var wrong = 0
      for await count in group { wrong += count }
      return wrong
    }

    #expect(Set(expected).count == states.count)
    #expect(wrong == 0)
  }

  @Test func `templates that are loaded again show in the past, too`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
    try FileManager.default.copyItem(at: TemplateLibrary.projectFolder, to: folder)
    defer { try? FileManager.default.removeItem(at: folder) }
    let windows = try self.windows(TemplateLibrary(directory: folder.path))
    func past() throws -> String {
      let page = try #require(
        windows.page("/counter", in: CounterState(3), environment: WindowEnvironment()))
      return String(decoding: page.html, as: UTF8.self)
    }
    let before = try past()
    let file = folder.appending(path: "CounterUI/CounterNumber.mustache")
    let template = try String(contentsOf: file, encoding: .utf8)
    try Data(template.replacing("Value:", with: "Worth:").utf8).write(to: file)

    let error = await windows.reloadTemplates()

    #expect(error == nil)
    #expect(before.contains("Value: 3"))
    #expect(try past().contains("Worth: 3"))
  }
}
