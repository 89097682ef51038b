import Foundation

/// The limits on open files and on file size.
enum FileLimit {
  /// Raises the limit on open files to the system's maximum, because each stream is an open file.
  static func raise() {
    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard getrlimit(resource, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(resource, &limit)
  }

  /// Makes a write beyond the maximum file size fail instead of ending the process.
  static func ignoreSignal() {
    signal(SIGXFSZ, SIG_IGN)
  }
}
