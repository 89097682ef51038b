import Foundation

/// The files of this project.
enum Project {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static func text(of path: String) throws -> String {
    try String(contentsOf: self.root.appending(path: path), encoding: .utf8)
  }

  /// The paths below a folder, without their extension.
  static func files(
    in folder: String,
    withExtension fileExtension: String
  ) throws -> Set<String> {
    let base = self.root.appending(path: folder)
    let paths = try FileManager.default.subpathsOfDirectory(atPath: base.path)
    return Set(
      paths.filter { $0.hasSuffix(".\(fileExtension)") }
        .map { String($0.dropLast(fileExtension.count + 1)) }
    )
  }
}
