import Foundation

/// How many files and connections the process may have open.
enum FileLimit {
  /// Raises the limit as far as the system lets it: each stream is an open file.
  static func raise() {
    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard getrlimit(resource, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(resource, &limit)
  }

  /// Makes a write past the greatest size of a file fail, instead of ending the process.
  static func ignoreSignal() {
    signal(SIGXFSZ, SIG_IGN)
  }
}
