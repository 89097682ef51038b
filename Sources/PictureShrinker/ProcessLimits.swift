import Glibc

/// The resource limits of this process. If it exceeds them, the kernel ends it.
enum ProcessLimits {
  /// - Returns: Whether the limits were set.
  static func apply() -> Bool {
    // It must not have the server's connections, and signals that the server blocks must end it.
    closefrom(STDERR_FILENO + 1)
    var none = sigset_t()
    sigemptyset(&none)
    sigprocmask(SIG_SETMASK, &none, nil)
    alarm(60)  // Seconds of real time, in case the machine is busy.
    // Seconds. At the hard limit it would get SIGKILL, as from a machine without memory.
    return self.limit(RLIMIT_CPU, 10, hard: 15)
      && self.limit(RLIMIT_AS, 1 << 30)  // Bytes, with the libraries.
      && self.limit(RLIMIT_FSIZE, 0)
      && self.limit(RLIMIT_CORE, 0)
  }

  private static func limit(
    _ resource: __rlimit_resource,
    _ most: rlim_t,
    hard: rlim_t? = nil
  ) -> Bool {
    var limit = rlimit(rlim_cur: most, rlim_max: hard ?? most)
    return setrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0
  }
}
