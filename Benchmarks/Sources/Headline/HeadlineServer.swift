import DeveloperTools
import Foundation
import HTMLTemplates
import ImmutableData
import ImmutableRuntime
import ImmutableServer
import ImmutableUI
import Logging

/// Serves a page with a list of 500 products at `/products`, and one with a part of 10,000 products at
/// `/catalog`, for `Benchmarks/load` and `Benchmarks/run`. Each line of its input is answered with what
/// rendering has done since the last one, as a line of JSON.
///
/// It has three of the Server's options, for `Benchmarks/run`: `--developer`, `--record FILE`, and
/// `--record-key FILE`.
@main enum HeadlineServer {
  private static let productCount = 500
  private static let catalogCount = 10_000

  static func main() async {
    await Program.run { try await Self.serve() }
  }

  @MainActor private static func serve() async throws {
    let store = Store(
      initialState: ProductsState(count: Self.productCount),
      reducer: ProductsReducer.reduce
    )
    let catalog = Store(
      initialState: CatalogState(count: Self.catalogCount), reducer: CatalogState.reduce)
    let developer = CommandLine.arguments.contains("--developer") ? Developer(store) : nil
    let recorder = try Self.file(after: "--record").map { file in
      try Recorder(store, to: file, privacy: try Self.privacy, logger: Logger(label: "headline"))
    }
    let templates = TemplateLibrary(directories: ["Templates", "Benchmarks/Templates"])
    var limits = WindowGroup.Configuration()
    limits.frameInterval = .zero
    let windows = try WindowGroup(templates: templates, configuration: limits) {
      Provider(store) { ProductList.page(at: "/products") }
      Provider(catalog) { Page(Catalog.self, at: "/catalog", title: "Catalog") }
      if let developer { developer.provider }
    }
    await developer?.follow(windows)
    recorder?.follow(windows)
    var configuration = WebServerConfiguration()
    configuration.port = 0
    configuration.developer = developer?.pages
    let server = try await WebServer(
      windows: windows,
      templates: templates,
      configuration: configuration
    )
    Thread.detachNewThread { Self.answer(windows) }
    try await server.run { address in
      FileHandle.standardOutput.write(Data("Listening on \(address)\n".utf8))
    }
    await recorder?.finish()
  }

  private static var privacy: RecordingPrivacy<ProductsState, ProductsAction> {
    get throws {
      guard let key = Self.file(after: "--record-key") else {
        return .pseudonyms(ProductsReducer.reduce)
      }
      return .sealed(for: try RecordingKey.Public(key))
    }
  }

  /// The file that follows an option; `nil` without the option.
  private static func file(after option: String) -> URL? {
    let arguments = CommandLine.arguments
    return arguments.firstIndex(of: option).map { URL(filePath: arguments[$0 + 1]) }
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
