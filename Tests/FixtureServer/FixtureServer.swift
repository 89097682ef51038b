import Fixture
import Foundation
import HTMLTemplates
import ImmutableData
import ImmutableRuntime
import ImmutableServer
import ImmutableUI

/// Serves the fixture product to the browser tests, on a free port of loopback.
///
/// Usage: `FixtureServer [PORT [ITEMS [SECONDS]]] [portable] [sessions=FILE]`, in the folder of the
/// project; SECONDS is the write timeout, `portable` has streams written by Hummingbird's response
/// writer, and FILE keeps the key of sessions.
@main struct FixtureServer {
  static func main() async {
    await Program.run { try await Self.serve() }
  }

  @MainActor private static func serve() async throws {
    let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
    let count = arguments.dropFirst().first ?? 3
    let items = (0..<count).map { Item(id: "item-\($0)", name: "Item \(1_000 + $0)") }
    let store = Store(
      initialState: FixtureState(items: items),
      reducer: FixtureReducer.reduce
    )
    let templates = TemplateLibrary(directories: ["Templates", "Tests/Fixture/Templates"])
    let windows = try WindowGroup(templates: templates) {
      Provider(store) {
        FixtureContent.page
        FixtureContent.itemsPage
        Board.page
        Guests.page
        Songs.page
      }
    }
    var configuration = WebServerConfiguration()
    configuration.port = arguments.first ?? 0
    if let seconds = arguments.dropFirst(2).first { configuration.writeTimeout = .seconds(seconds) }
    configuration.writesStreamsRaw = CommandLine.arguments.contains("portable") == false
    let sessions = CommandLine.arguments.first { $0.hasPrefix("sessions=") }
    if let file = sessions?.dropFirst("sessions=".count) {
      try configuration.keepSessions(in: URL(filePath: String(file)))
    }
    let server = try await WebServer(
      windows: windows,
      templates: templates,
      configuration: configuration
    )
    try await server.run { address in
      print("Listening on \(address)")
    }
  }
}
