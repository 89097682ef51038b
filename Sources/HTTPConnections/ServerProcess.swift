import Foundation

/// The process of a server.
package enum ServerProcess {
  /// A server has about 24 files open, and up to 6 for each processor, because each event loop needs
  /// 3. It keeps 20 free for itself. With fewer than this, it would listen, and answer nobody.
  private static var least: rlim_t {
    52 + 6 * rlim_t(ProcessInfo.processInfo.activeProcessorCount)
  }

  /// Raises the limit on open files to the system's maximum, because each connection is an open
  /// file, and makes a write beyond the maximum file size fail instead of ending the process. What is
  /// printed is then written line by line, also to a file or a pipe, and the end of the process waits a
  /// moment for its log.
  ///
  /// - Throws: ``TooFewFiles`` if the maximum is too low.
  package static func prepare() throws {
    signal(SIGXFSZ, SIG_IGN)
    self.printLineByLine()
    atexit { LogWriter.standardError.finish() }
    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard getrlimit(resource, &limit) == 0 else { return }
    let least = self.least
    guard limit.rlim_max >= least else {
      throw TooFewFiles(limit: limit.rlim_max, least: least)
    }
    guard limit.rlim_cur < limit.rlim_max else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(resource, &limit)
  }

  /// The process may have too few files open.
  struct TooFewFiles: LocalizedError {
    let limit: rlim_t
    let least: rlim_t

    var errorDescription: String? {
      "This program may have only \(self.limit) files and connections open. Allow \(self.least) at "
        + "least, which are 52 and 6 for each processor (ulimit -n, or LimitNOFILE in the unit)."
    }
  }
}
