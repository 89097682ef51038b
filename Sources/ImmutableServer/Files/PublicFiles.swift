import Foundation
import ImmutableUI
import Logging
import NIOCore
import Synchronization

/// The files below `/public/`. They are read at start, so no request reaches the file system.
final class PublicFiles: Sendable {
  struct File: Sendable {
    /// All responses share these bytes, so a slow client keeps no copy alive.
    let bytes: ByteBuffer
    let gzipped: ByteBuffer?
    let contentType: String
    /// A strong validator, in quotes.
    let entityTag: String
  }

  private struct Contents {
    var files: [String: File] = [:]
    var version = ""
  }

  private static let contentTypes = [
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "png": "image/png",
    "svg": "image/svg+xml",
    "txt": "text/plain; charset=utf-8",
    "webp": "image/webp",
    "woff2": "font/woff2",
  ]

  private let directory: String
  private let contents = Mutex(Contents())

  /// - Throws: ``StartError`` if the folder does not exist.
  init(directory: String) throws {
    self.directory = directory
    try self.reload()
  }

  subscript(path: String) -> File? {
    self.contents.withLock { $0.files[path] }
  }

  /// Changes when any file changes. It is part of the URLs of scripts, so that a release replaces
  /// them.
  var version: String {
    self.contents.withLock { $0.version }
  }

  /// - Parameter paths: The files that pages refer to.
  /// - Throws: ``StartError`` for the first that does not exist.
  func require(_ paths: [String]) throws {
    for path in paths where self[path] == nil {
      throw StartError(
        code: .missingAsset,
        "A component brings \(path), which is not in the folder \(self.directory). Put it there, or "
          + "take it out of the component's assets."
      )
    }
  }

  /// Reads all files again. Links are not followed, and files of unknown type are not served.
  func reload() throws {
    let root = URL(fileURLWithPath: self.directory, isDirectory: true)
    let keys: [URLResourceKey] = [.isRegularFileKey, .isSymbolicLinkKey]
    guard
      (try? root.checkResourceIsReachable()) == true,
      let enumerator = FileManager.default.enumerator(at: root, includingPropertiesForKeys: keys)
    else {
      throw StartError(
        code: .missingFolder,
        "There is no folder \(self.directory) with files for browsers. Start the server in the folder "
          + "that has it, or name another."
      )
    }
    var contents = Contents()
    var hash = ContentHash()
    let urls = enumerator.compactMap { $0 as? URL }.sorted { $0.path < $1.path }
    for url in urls {
      let values = try url.resourceValues(forKeys: Set(keys))
      guard values.isRegularFile == true, values.isSymbolicLink != true,
        let contentType = Self.contentTypes[url.pathExtension]
      else { continue }
      let bytes = Array(try Data(contentsOf: url))
      let name = String(url.path.dropFirst(root.path.count).drop { $0 == "/" })
      let isText = contentType.contains("charset") || contentType.contains("svg")
      contents.files[name] = File(
        bytes: ByteBuffer(bytes: bytes),
        gzipped: (isText ? Gzip.compress(bytes, level: 9) : nil).map { ByteBuffer(bytes: $0) },
        contentType: contentType,
        entityTag: "\"\(ContentHash.of(bytes))\""
      )
      hash.combine(name)
      hash.combine(bytes)
    }
    contents.version = hash.text
    self.contents.withLock { $0 = contents }
  }
}

/// Why the server cannot start, in a sentence that says what to do.
public struct StartError: Error, CustomStringConvertible {
  public enum Code: Hashable, Sendable {
    /// Another process listens at the address.
    case addressInUse
    /// A component needs a file that does not exist.
    case missingAsset
    /// The folder of public files does not exist.
    case missingFolder
  }

  public let code: Code
  public let description: String

  init(code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
