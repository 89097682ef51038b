import Foundation

/// A server process, from its start to its end. It ends with the process that started it, however that
/// ends, because a shell between them waits for that.
final class ServerRun: Sendable {
  /// A shell that waits for its background processes may wait for ever here, because signals are blocked
  /// in what Foundation starts; so the server runs in the foreground.
  private static let script = """
    folder=$1; shift; exec 3<&0
    (read -r line <&3; [ "$line" = keep ] || touch "$folder/unwanted"
      kill -QUIT "$(head -1 "$folder/data/postmaster.pid")") &
    "$@" >> "$folder/log" 2>&1 < /dev/null
    [ ! -e "$folder/unwanted" ] || rm -rf "$folder"
    """

  private let shell = Process()
  private let lifeline = Pipe()
  private let ends: AsyncStream<Void>

  init(_ command: [String], in folder: URL) throws {
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    self.ends = ends
    self.shell.executableURL = URL(filePath: "/bin/sh")
    self.shell.arguments = ["-c", Self.script, "server", folder.path] + command
    self.shell.standardInput = self.lifeline
    self.shell.standardOutput = FileHandle.nullDevice
    self.shell.standardError = FileHandle.nullDevice
    self.shell.terminationHandler = { _ in end.finish() }
    // Other processes that are started meanwhile must not keep it open.
    _ = fcntl(self.lifeline.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
    try self.shell.run()
  }

  func end(keepingFolder: Bool) async throws {
    if keepingFolder {
      try self.lifeline.fileHandleForWriting.write(contentsOf: Data("keep\n".utf8))
    }
    try self.lifeline.fileHandleForWriting.close()
    for await _ in self.ends {}
  }
}
