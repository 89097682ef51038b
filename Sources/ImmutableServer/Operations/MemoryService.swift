import Foundation
import ServiceLifecycle

/// Gives memory that was freed back to the system, once the process has little to do.
///
/// glibc keeps freed memory that lies between what is in use. So after an hour with many visitors a process
/// would stay as large as it was then.
///
/// Source: malloc_trim(3).
struct MemoryService: Service {
  private typealias Trim = @convention(c) (Int) -> CInt

  /// How often it looks.
  private static let interval = Duration.seconds(10)
  /// It does nothing until the process has worked for so long: otherwise nothing was freed.
  private static let work = Duration.milliseconds(50)
  /// The process has little to do if it has worked no longer than this since the last look. What is given
  /// back takes some milliseconds, in which threads that need memory wait.
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

  /// That of all threads since the process began.
  private static var processorTime: Duration { .microseconds(clock()) }
}
