import Glibc

/// What this process has and may take. Beyond that the kernel ends it.
enum ProcessLimits {
  /// - Returns: Whether they hold.
  static func apply() -> Bool {
    // The server's connections are none of its business, and signals that are blocked there end it.
    closefrom(STDERR_FILENO + 1)
    var none = sigset_t()
    sigemptyset(&none)
    sigprocmask(SIG_SETMASK, &none, nil)
    alarm(60)  // Seconds, while the machine has other work.
    return self.limit(RLIMIT_CPU, 10)  // Seconds.
      && self.limit(RLIMIT_AS, 1 << 30)  // Bytes, with the libraries.
      && self.limit(RLIMIT_FSIZE, 0)
      && self.limit(RLIMIT_CORE, 0)
  }

  private static func limit(_ resource: __rlimit_resource, _ most: rlim_t) -> Bool {
    var limit = rlimit(rlim_cur: most, rlim_max: most)
    return setrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0
  }
}
