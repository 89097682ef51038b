import Foundation

/// The limits of a server's process on open files and on file size.
package enum FileLimit {
  /// A server has about 30 files open, and keeps 20 free for itself. With fewer than this, it would
  /// listen, and answer nobody.
  private static let least: rlim_t = 64

  /// Raises the limit on open files to the system's maximum, because each connection is an open
  /// file, and makes a write beyond the maximum file size fail instead of ending the process.
  ///
  /// - Throws: `Complaint` if the maximum is too low.
  package static func prepare() throws {
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard getrlimit(resource, &limit) == 0 else { return }
    guard limit.rlim_max >= self.least else {
      throw Complaint(
        "This program may have only \(limit.rlim_max) files and connections open. Allow "
          + "\(self.least) at least (ulimit -n, or LimitNOFILE in the unit)."
      )
    }
    guard limit.rlim_cur < limit.rlim_max else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(resource, &limit)
  }
}
