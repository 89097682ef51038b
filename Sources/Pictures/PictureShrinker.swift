public import Foundation

/// Makes small pictures, each in a separate process that ends when it takes too much time or
/// memory. Decoders are written in C, and anybody can upload pictures: a failure in a decoder ends
/// that process instead of the server.
public struct PictureShrinker: Sendable {
  /// The path of the program.
  private let program: String

  /// The maximum size of a small picture, in bytes. An ordinary one has some thousands.
  private static let byteLimit = 1 << 20

  /// - Parameter program: The executable `PictureShrinker` of this package.
  /// - Throws: ``PictureStoreError`` if the program does not exist, or cannot run.
  public init(program: URL) throws(PictureStoreError) {
    self.program = program.path(percentEncoded: false)
    guard access(self.program, X_OK) == 0 else {
      throw PictureStoreError(
        .inputOutput,
        "\(self.program) cannot be run: \(String(cString: strerror(errno))). "
          + "Build it with: swift build --product PictureShrinker"
      )
    }
  }

  /// The program that was built together with this one.
  ///
  /// - Throws: ``PictureStoreError`` if it is not in the same folder.
  public static func besideThisProgram() throws(PictureStoreError) -> Self {
    let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    return try Self(
      program: program.deletingLastPathComponent().appending(component: "PictureShrinker"))
  }

  /// Makes a small picture, and waits for the process.
  ///
  /// - Parameters:
  ///   - file: A picture, which must not be read concurrently.
  ///   - size: The size that it must fit in.
  /// - Returns: A WebP file; `nil` for a picture that cannot be decoded within the limits.
  /// - Throws: ``PictureStoreError`` if the process could not be started, or was ended for a reason
  ///   that is not the picture's.
  /// - Complexity: O(n), n pixels, in the process; here only the small picture is held.
  func shrink(_ file: PictureFile, to size: PictureSize) throws(PictureStoreError) -> [UInt8]? {
    let (process, output) = (Process(), Pipe())
    process.executableURL = URL(filePath: self.program)
    process.arguments = ["\(size.side)"]
    process.environment = [:]  // The environment may contain secrets.
    process.standardInput = FileHandle(fileDescriptor: file.descriptor, closeOnDealloc: false)
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    do {
      try process.run()
      let bytes = try Self.read(output.fileHandleForReading)
      // A decoder with too much output is not to be trusted.
      if bytes == nil { kill(process.processIdentifier, SIGKILL) }
      process.waitUntilExit()
      guard let bytes else { return nil }
      return try self.hasDecoded(process) ? bytes : nil
    } catch let error as PictureStoreError {
      throw error
    } catch {
      throw PictureStoreError(.inputOutput, "\(self.program) cannot be run: \(error).")
    }
  }

  /// - Returns: `nil` for more than ``byteLimit``.
  private static func read(_ file: FileHandle) throws -> [UInt8]? {
    var bytes: [UInt8] = []
    while let piece = try file.read(upToCount: 16 << 10), piece.isEmpty == false {
      bytes += piece
      guard bytes.count <= Self.byteLimit else { return nil }
    }
    return bytes
  }

  /// Signals that the picture has not caused: those of people and service managers, that of the
  /// deadline, which a busy machine exceeds, and that of a machine without memory.
  private static let othersSignals = [SIGTERM, SIGINT, SIGHUP, SIGALRM, SIGKILL]

  /// - Returns: Whether the picture was read. It was not if it is damaged, or made the process
  ///   crash or use too much processor time.
  /// - Throws: ``PictureStoreError`` for a failure that the picture has not caused.
  private func hasDecoded(_ process: Process) throws(PictureStoreError) -> Bool {
    let status = process.terminationStatus
    switch (process.terminationReason, status) {
    case (.exit, EX_OK): return true
    case (.exit, EX_DATAERR): return false
    case (.uncaughtSignal, let signal) where Self.othersSignals.contains(signal) == false:
      return false
    default:
      throw PictureStoreError(
        .inputOutput, "\(self.program) was ended, with \(status).")
    }
  }
}
