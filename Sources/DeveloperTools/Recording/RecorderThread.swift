import Dispatch

/// Runs the task that writes a recording, so that a disk that hangs holds no thread of Swift's pool.
final class RecorderThread: TaskExecutor {
  private let queue = DispatchQueue(label: "DeveloperTools.recorder")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    self.queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
