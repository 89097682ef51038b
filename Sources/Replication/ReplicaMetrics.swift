import Metrics

/// The metrics of a replica and its log.
struct ReplicaMetrics: Sendable {
  private let append = Timer(label: "log_append_seconds")
  private let failures = Counter(label: "log_append_failures")
  private let fold = Timer(label: "log_fold_seconds")
  private let known = Counter(label: "log_known")
  private let conflicts = Counter(label: "log_conflicts")
  private let fenced = Counter(label: "log_fenced")
  private let takeovers = Counter(label: "log_takeovers")
  private let leads = Gauge(label: "log_leads")

  /// A post was appended, or was already in the log.
  ///
  /// - Parameter duration: The time from sending it to the log's answer.
  func didAppend(in duration: Duration, isKnown: Bool) {
    self.append.recordNanoseconds(duration.nanoseconds)
    if isKnown { self.didFindKnown() }
  }

  /// A post was already in the log.
  func didFindKnown() { self.known.increment() }

  /// A post, the result of an effect, or a check of the log was not appended.
  func didFailToAppend() { self.failures.increment() }

  /// An action of this process was appended, and refused when it was reduced: others came first.
  func didConflict() { self.conflicts.increment() }

  /// An entry was not appended, because this process has lost the lease under which it was written.
  func didFence() { self.fenced.increment() }

  /// An entry was reduced, or refused.
  func didFold(in duration: Duration) { self.fold.recordNanoseconds(duration.nanoseconds) }

  /// This process runs the effects of another process from now on.
  func didTakeOver() { self.takeovers.increment() }

  /// Whether this process has the lease to follow outside events.
  func leads(_ leads: Bool) { self.leads.record(leads ? 1 : 0) }
}

extension Duration {
  fileprivate var nanoseconds: Int64 { Int64(self / .nanoseconds(1)) }
}
