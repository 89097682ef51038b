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
    self.goFirst()
    alarm(60)  // Seconds of real time, in case the machine is busy.
    // Seconds. At the hard limit it would get SIGKILL, as from a machine without memory.
    return self.limit(RLIMIT_CPU, 10, hard: 15)
      && self.limit(RLIMIT_AS, 1 << 30)  // Bytes, with the libraries.
      && self.limit(RLIMIT_FSIZE, 0)
      && self.limit(RLIMIT_CORE, 0)
  }

  /// Makes the kernel end this process, rather than the server, when the machine has no memory left. A
  /// machine that does not allow that shrinks pictures all the same.
  ///
  /// Source: proc(5), oom_score_adj.
  private static func goFirst() {
    let score = open("/proc/self/oom_score_adj", O_WRONLY)
    guard score >= 0 else { return }
    _ = write(score, "1000", 4)
    close(score)
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
