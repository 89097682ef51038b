public import Foundation

extension WebServerConfiguration {
  /// Keeps the key of sessions in a file, so that sessions, and with them the pseudonyms of visitors,
  /// stay the same through a restart. The first call makes the file, which only its owner can read.
  ///
  /// ```swift
  /// try configuration.keepSessions(in: URL(filePath: "data/session.key"))
  /// ```
  ///
  /// - Throws: ``StartError`` if the file cannot be read or made, or is something else.
  public mutating func keepSessions(in url: URL) throws {
    do {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      let descriptor = open(url.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
      let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      var key = try file.read(upToCount: 17).map(Array.init) ?? []
      if key.isEmpty {
        key = (0..<16).map { _ in UInt8.random(in: 0...(.max)) }
        try file.write(contentsOf: key)
      }
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
}
