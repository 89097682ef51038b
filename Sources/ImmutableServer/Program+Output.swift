// The C library declares `stdout` as a variable, which Swift cannot know to be safe.
@preconcurrency import Glibc

extension Program {
  /// Writes what is printed line by line, also to a file or a pipe.
  static func printLines() {
    setvbuf(stdout, nil, Int32(_IOLBF), 0)
  }
}
