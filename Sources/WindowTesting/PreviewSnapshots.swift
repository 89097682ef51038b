public import Foundation
public import ImmutableRuntime
import ImmutableUI

/// Compares the previews of components with recorded snapshots.
///
/// ```swift
/// @Test func `previews match their snapshots`() throws {
///   let snapshots = PreviewSnapshots(of: app.windows, in: folder)
///   let problems = try snapshots.problems()
///   #expect(problems == [])
///   let missing = try snapshots.componentsWithoutPreview(in: ["CounterUI"])
///   #expect(missing == [])
/// }
/// ```
///
/// A preview without a file is reported as a problem, and its file is written. If a preview has
/// changed on purpose, delete its file and run the test again.
public struct PreviewSnapshots: Sendable {
  private let windows: WindowGroup
  private let folder: URL

  /// - Parameters:
  ///   - windows: The pages that use the components.
  ///   - folder: The folder of snapshots, with a file `MODULE/COMPONENT/NAME.html` for each
  ///     preview.
  public init(of windows: WindowGroup, in folder: URL) {
    self.windows = windows
    self.folder = folder
  }

  /// The differences, a sentence or a few lines for each; empty if nothing has changed.
  ///
  /// - Throws: An error if a file cannot be read or written; other files may have been written.
  /// - Complexity: O(n), n bytes of all previews, plus the differences.
  public func problems() throws -> [String] {
    let previews = try self.windows.previews
    let paths = previews.map { "\($0.path).html" }
    let repeated = Dictionary(grouping: paths) { $0 }.filter { $1.count > 1 }.keys.sorted()
    return repeated.map { "two previews have the name of \($0)" }
      + (try previews.compactMap(self.problem))
      + (try self.files()).subtracting(paths).sorted().map {
        "\($0) is of no preview: delete it"
      }
  }

  /// The components that pages use and that have no preview, by name.
  ///
  /// - Parameter modules: The modules to check.
  /// - Throws: `TemplateError` if templates do not compile.
  public func componentsWithoutPreview(in modules: Set<String>) throws -> [String] {
    try self.windows.componentsWithoutPreview(in: modules)
  }

  /// The names of the components that have a preview, such as `CounterUI/CounterNumber`.
  ///
  /// - Throws: `TemplateError` if templates do not compile.
  public var componentsWithPreview: Set<String> {
    get throws {
      try Set(self.windows.previews.map { "\($0.moduleName)/\($0.componentName)" })
    }
  }

  private func problem(of preview: PreviewDeclaration) throws -> String? {
    let page: PageContent
    do {
      page = try self.windows.page(of: preview, at: "/previews/\(preview.path)")
    } catch let failure as PreviewFailure {
      return "\(preview.path) cannot be shown. \(failure)"
    }
    let file = self.folder.appending(path: "\(preview.path).html")
    let lines = Self.lines(of: page.html)
    guard let old = try? String(contentsOf: file, encoding: .utf8) else {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
      return "\(preview.path).html was missing and has been written: look at it and commit it"
    }
    let oldLines = old.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    let difference = lines.difference(from: oldLines.map(String.init))
    return difference.isEmpty ? nil : Self.text(of: difference, in: "\(preview.path).html")
  }

  /// Formats HTML with one element per line. The tags of regions are left out, because they differ
  /// whenever the regions do.
  private static func lines(of html: [UInt8]) -> [String] {
    String(decoding: html, as: UTF8.self)
      .replacing(/\ data-tag="[^"]*"/, with: "")
      .replacing("><", with: ">\n<")
      .split(separator: "\n")
      .map(String.init)
  }

  private static func text(of difference: CollectionDifference<String>, in name: String) -> String {
    let changes = difference.map { change in
      switch change {
      case .remove(let offset, let line, _): (offset, "- \(offset + 1): \(line)")
      case .insert(let offset, let line, _): (offset, "+ \(offset + 1): \(line)")
      }
    }
    let lines = changes.sorted { ($0.0, $1.1) < ($1.0, $0.1) }.map(\.1)
    let rest = lines.count > Self.limit ? ["and \(lines.count - Self.limit) more"] : []
    return (["\(name) differs:"] + lines.prefix(Self.limit) + rest).joined(separator: "\n")
  }

  /// The maximum number of lines shown for a difference.
  private static let limit = 40

  /// The paths of the files.
  private func files() throws -> Set<String> {
    guard FileManager.default.fileExists(atPath: self.folder.path) else { return [] }
    let paths = try FileManager.default.subpathsOfDirectory(atPath: self.folder.path)
    return Set(paths.filter { $0.hasSuffix(".html") })
  }
}
