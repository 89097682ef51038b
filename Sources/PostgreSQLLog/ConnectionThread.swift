import Dispatch

/// Runs an actor that waits for sockets, so that no thread of Swift's own is blocked.
final class ConnectionThread: SerialExecutor {
  private let queue = DispatchQueue(label: "PostgreSQLLog.connection")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    self.queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
