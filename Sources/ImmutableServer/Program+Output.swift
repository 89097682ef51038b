// The C library declares `stdout` as a variable, which Swift cannot know to be safe.
@preconcurrency import Glibc
import HTTPConnections

extension Program {
  /// Prepares the process of a server. What is printed is then written line by line, also to a file
  /// or a pipe.
  ///
  /// - Throws: An error if it may open too few files.
  package static func prepare() throws {
    try ServerProcess.prepare()
    setvbuf(stdout, nil, Int32(_IOLBF), 0)
  }
}
