// The C library declares `stdout` as a variable, which Swift cannot know to be safe.
@preconcurrency import Glibc

extension ServerProcess {
  static func printLineByLine() {
    setvbuf(stdout, nil, Int32(_IOLBF), 0)
  }
}
