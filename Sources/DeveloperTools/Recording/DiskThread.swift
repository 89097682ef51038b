import Dispatch

/// Runs tasks that wait for a disk, so that one that hangs holds no thread of Swift's pool.
final class DiskThread: TaskExecutor {
  private let queue: DispatchQueue

  /// - Parameter purpose: It is part of the thread's name.
  init(_ purpose: String) {
    self.queue = DispatchQueue(label: "DeveloperTools.\(purpose)")
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    self.queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
