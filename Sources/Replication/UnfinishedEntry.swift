import Foundation

/// A file in which a replica notes the entry that it is reducing. If that entry ends the process, the
/// next process finds it there.
@MainActor final class UnfinishedEntry {
  private let descriptor: CInt
  /// The sequence of the entry that the previous process has not finished; 0 if there is none.
  let sequence: UInt64

  /// - Parameter file: The file. It is created if it does not exist.
  /// - Throws: `POSIXError`, also if there is no room for the note.
  init(in file: URL) throws {
    let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    let descriptor = open(file.path(percentEncoded: false), flags, 0o644)
    guard descriptor >= 0 else { throw Self.error }
    var sequence: UInt64 = 0
    let isWritten = withUnsafeMutableBytes(of: &sequence) {
      _ = pread(descriptor, $0.baseAddress, $0.count, 0)
      return pwrite(descriptor, $0.baseAddress, $0.count, 0) == $0.count
    }
    guard isWritten else {
      defer { close(descriptor) }
      throw Self.error
    }
    (self.descriptor, self.sequence) = (descriptor, sequence)
  }

  private static var error: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }

  deinit {
    close(self.descriptor)
  }

  /// Notes the entry that is being reduced; 0 when it has been reduced. The note outlives the process,
  /// but not the machine.
  func note(_ sequence: UInt64) {
    _ = withUnsafeBytes(of: sequence) { pwrite(self.descriptor, $0.baseAddress, $0.count, 0) }
  }
}
