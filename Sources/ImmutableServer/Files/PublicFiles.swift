import Foundation
import ImmutableUI
import Logging
import NIOCore
import Synchronization

/// The files below `/public/`. They are read at start, so no request reaches the file system.
final class PublicFiles: Sendable {
  struct File: Sendable {
    let contentType: String
    let plain: Content
    /// `nil` for one whose type is compressed already.
    fileprivate let compressed: Compressed?

    /// `nil` if that would not be shorter.
    var gzipped: Content? { self.compressed?.content(of: self.plain) }
  }

  /// The compressed content of a file. It is made at the first request for it, so that a server starts
  /// sooner: the map of the world takes 50 ms.
  fileprivate final class Compressed: Sendable {
    private let made = Mutex<Content??>(nil)

    func content(of plain: Content) -> Content? {
      self.made.withLock { made in
        if let made { return made }
        let bytes = Gzip.compress(Array(plain.bytes.readableBytesView), level: 9)
        let tag = "\(plain.entityTag.dropLast())-gzip\""
        let content = bytes.map { Content(bytes: ByteBuffer(bytes: $0), entityTag: tag) }
        made = .some(content)
        return content
      }
    }
  }

  /// One representation of a file.
  struct Content: Sendable {
    /// All responses share these bytes, so a slow client keeps no copy alive.
    let bytes: ByteBuffer
    /// A strong validator, in quotes. It differs between the representations of a file.
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

  /// The type of a file; `nil` for one that is not served.
  private static func contentType(of path: String) -> String? {
    self.contentTypes[URL(fileURLWithPath: path).pathExtension]
  }

  /// The modules that pages and their worker load. Each is served together with everything that it
  /// imports.
  private static let entries = ["window.js", "worker.js"]

  private let directory: String
  private let bundlesScripts: Bool
  private let contents = Mutex(Contents())

  /// - Parameters:
  ///   - directory: The folder.
  ///   - bundlesScripts: Whether the modules of all pages are served as one (see ``ScriptBundle``),
  ///     and scripts and styles compact (see ``CompactSource``). Otherwise each is served as it is,
  ///     which is easier to read during development.
  /// - Throws: ``StartError`` if the folder does not exist, or if its modules cannot be bundled.
  init(directory: String, bundlesScripts: Bool = true) throws {
    self.directory = directory
    self.bundlesScripts = bundlesScripts
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
    var sources: [String: [UInt8]] = [:]
    for case let url as URL in enumerator {
      let values = try url.resourceValues(forKeys: Set(keys))
      guard values.isRegularFile == true, values.isSymbolicLink != true,
        Self.contentType(of: url.path) != nil
      else { continue }
      let name = String(url.path.dropFirst(root.path.count).drop { $0 == "/" })
      sources[name] = Array(try Data(contentsOf: url))
    }
    if self.bundlesScripts { try Self.bundle(&sources) }
    let contents = Self.contents(sources)
    self.contents.withLock { $0 = contents }
  }

  private static func contents(_ sources: [String: [UInt8]]) -> Contents {
    var contents = Contents()
    var hasher = TagHasher()
    for (name, bytes) in sources.sorted(by: { $0.key < $1.key }) {
      guard let contentType = Self.contentType(of: name) else { continue }
      let isText = contentType.contains("charset") || contentType.contains("svg")
      var content = TagHasher()
      content.combine(bytes)
      contents.files[name] = File(
        contentType: contentType,
        plain: Content(
          bytes: ByteBuffer(bytes: bytes), entityTag: "\"\(content.finalize().text)\""),
        compressed: isText ? Compressed() : nil
      )
      hasher.combine(name)
      hasher.combine(bytes)
    }
    contents.version = hasher.finalize().text
    return contents
  }

  private static func bundle(_ sources: inout [String: [UInt8]]) throws {
    let modules = sources.filter { $0.key.hasSuffix(".js") }
      .mapValues { String(decoding: $0, as: UTF8.self) }
    let common = modules.filter { $0.key.contains("/") == false }
    for (name, module) in modules where common[name] == nil {
      let script = CompactSource.withoutComments(script: module)
      sources[name] = Array(CompactSource.withoutSpace(script: script).utf8)
    }
    for (name, bytes) in sources where name.hasSuffix(".css") {
      sources[name] = CompactSource.styles(bytes)
    }
    for entry in Self.entries where common[entry] != nil {
      do {
        for (name, script) in try ScriptBundle(entry, in: common).scripts {
          sources[name] = Array(script.utf8)
        }
      } catch {
        throw StartError(
          code: .unbundledScript,
          "\(entry) cannot be served together with what it imports: \(error)."
        )
      }
    }
  }
}

/// Why the server cannot start, in a sentence that says what to do.
public struct StartError: Error, CustomStringConvertible {
  public enum Code: Hashable, Sendable {
    /// Another process listens at the address.
    case addressInUse
    /// The address is not one of this machine, or its port needs more rights.
    case unusableAddress
    /// A page has a path of the server itself.
    case reservedPath
    /// A component needs a file that does not exist.
    case missingAsset
    /// The modules of all pages cannot be bundled.
    case unbundledScript
    /// The folder of public files does not exist.
    case missingFolder
    /// The file with the key of sessions cannot be read or made, or is something else.
    case unusableSessionKey
    /// An environment variable has an unusable value.
    case unusableSetting
  }

  public let code: Code
  public let description: String

  init(code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
