import Foundation
import HTMLTemplates
import ImmutableData
import ImmutableServer
import ImmutableRuntime
import ImmutableUI

/// Serves one page with a list of 500 products at `/products`, for `Benchmarks/load`. Each line of its
/// input is answered with what rendering has done since the last one, as a line of JSON.
@main enum HeadlineServer {
  private static let productCount = 500

  static func main() async {
    await Program.run { try await Self.serve() }
  }

  @MainActor private static func serve() async throws {
    let store = Store(
      initialState: ProductsState(count: Self.productCount),
      reducer: ProductsReducer.reduce
    )
    let templates = TemplateLibrary(directories: ["Templates", "Benchmarks/Templates"])
    let windows = try WindowGroup(
      templates: templates,
      configuration: WindowGroup.Configuration(frameInterval: .zero)
    ) {
      Provider(store) { ProductList.page(at: "/products") }
    }
    var configuration = WebServerConfiguration()
    configuration.port = 0
    let server = try await WebServer(
      windows: windows,
      templates: templates,
      configuration: configuration
    )
    Thread.detachNewThread { Self.answer(windows) }
    try await server.run { address in
      FileHandle.standardOutput.write(Data("Listening on \(address)\n".utf8))
    }
  }

  private static func answer(_ windows: WindowGroup) {
    var before = windows.counts
    while readLine() != nil {
      let counts = windows.counts
      let new = counts - before
      before = counts
      let line = """
        {"outputRuns": \(new.outputRuns), "regionRenders": \(new.regionRenders), \
        "rowRenders": \(new.rowRenders), "diffs": \(new.diffs), "frames": \(new.frames)}

        """
      FileHandle.standardOutput.write(Data(line.utf8))
    }
  }
}
