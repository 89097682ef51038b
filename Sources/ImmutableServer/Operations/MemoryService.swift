import Foundation
import ServiceLifecycle

/// Returns freed memory to the system, once the process has little to do.
///
/// glibc keeps freed memory that lies between blocks in use. So after an hour with many visitors, a
/// process would stay as large as it was then.
///
/// Source: malloc_trim(3).
struct MemoryService: Service {
  private typealias Trim = @convention(c) (Int) -> CInt

  /// How often it checks.
  private static let interval = Duration.seconds(10)
  /// It does nothing until the process has used this much CPU time, because there is nothing to
  /// return before that.
  private static let work = Duration.milliseconds(50)
  /// The process has little to do if it has used no more CPU time than this since the last check.
  /// Returning memory takes some milliseconds, during which threads that need memory wait.
  private static let quiet = Duration.seconds(1)

  func run() async throws {
    // Another C library, or another allocator, may not have it.
    guard let symbol = dlsym(nil, "malloc_trim") else { return }
    let trim = unsafeBitCast(symbol, to: Trim.self)
    await cancelWhenGracefulShutdown {
      var (trimmed, seen) = (Duration.zero, Duration.zero)
      while Task.isCancelled == false {
        try? await Task.sleep(for: Self.interval)
        let worked = Self.processorTime
        let isQuiet = worked - seen < Self.quiet
        seen = worked
        guard isQuiet, worked - trimmed > Self.work else { continue }
        _ = trim(0)
        trimmed = worked
      }
    }
  }

  /// The CPU time of all threads since the process started.
  private static var processorTime: Duration { .microseconds(clock()) }
}
