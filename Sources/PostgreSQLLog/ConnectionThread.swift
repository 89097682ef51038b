import Dispatch

/// Runs an actor that waits for sockets, so that it does not block a thread of Swift's pool. It also
/// runs tasks that call this actor repeatedly, so that no thread waits for another in between.
final class ConnectionThread: SerialExecutor, TaskExecutor {
  private let queue = DispatchQueue(label: "PostgreSQLLog.connection")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    self.queue.async {
      job.runSynchronously(
        isolatedTo: self.asUnownedSerialExecutor(), taskExecutor: self.asUnownedTaskExecutor())
    }
  }
}
