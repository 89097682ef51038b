public import Foundation

extension WebServerConfiguration {
  /// Keeps the key of sessions in a file, so that sessions, and with them the pseudonyms of visitors,
  /// stay the same through a restart. The first call makes the file, which only its owner can read.
  ///
  /// ```swift
  /// try configuration.keepSessions(in: URL(filePath: "data/session.key"))
  /// ```
  ///
  /// Servers that share a log keep the key there, so do not use this together with
  /// ``follow(_:)``: the later call would replace the key of the other.
  ///
  /// - Throws: ``StartError`` if the file cannot be read or made, or is something else.
  public mutating func keepSessions(in url: URL) throws {
    do {
      let key = try Self.readKey(url) ?? Self.makeKey(url)
      guard key.count == 16 else {
        throw StartError(
          code: .unusableSessionKey,
          "\(url.path) is no session key: it does not have 16 bytes. Choose another name.")
      }
      self.sessionKey = key
    } catch let error where error is StartError == false {
      throw StartError(
        code: .unusableSessionKey,
        "The session key \(url.path) cannot be kept: \(error.localizedDescription)")
    }
  }

  /// - Returns: The content of the file, 17 bytes at most; `nil` if there is no file.
  private static func readKey(_ url: URL) throws -> [UInt8]? {
    let descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0, errno == ENOENT { return nil }
    return try Self.file(descriptor).read(upToCount: 17).map(Array.init) ?? []
  }

  /// Makes the file under a temporary name first, so that it never contains a part of a key only.
  ///
  /// - Returns: The key. If another process has just made the file, it is that process's key.
  private static func makeKey(_ url: URL) throws -> [UInt8] {
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    let key = (0..<16).map { _ in UInt8.random(in: 0...(.max)) }
    let temporary = "\(url.path).\(UUID().uuidString)"
    defer { unlink(temporary) }
    try Self.write(key, toNew: temporary)
    guard link(temporary, url.path) != 0 else { return key }
    switch errno {
    case EEXIST:
      return try Self.readKey(url) ?? []
    case EPERM, ENOTSUP, ENOSYS:
      // Some file systems have no hard links.
      try Self.write(key, toNew: url.path)
      return key
    case let code:
      throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO)
    }
  }

  private static func write(_ key: [UInt8], toNew path: String) throws {
    let file = try Self.file(open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600))
    try file.write(contentsOf: key)
    try file.synchronize()
  }

  /// - Parameter descriptor: What `open` returned.
  private static func file(_ descriptor: CInt) throws -> FileHandle {
    guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }
}
