import ImmutableData
import Tracing

/// Where the actions came from that are on their way to the log and back.
///
/// Two places may send the same action, for example two windows that undo the same post. The log has
/// the first, so its origin counts, and each sender removes only its own.
struct Origins {
  /// Where an action came from, the post that has caused it, and the trace that it belongs to.
  typealias Origin = (origin: ActionOrigin?, post: BacklogEntry?, trace: ServiceContext?)

  /// One sending of an action.
  struct Sending: Sendable {
    let id: String
    fileprivate let number: Int
  }

  /// By the id of the action, in the order in which they were sent. Bounded by the posts and effects
  /// in progress.
  private var origins: [String: [(number: Int, sequence: UInt64?, origin: Origin)]] = [:]
  private var count = 0

  /// Remembers the origin of an action that the current task sends.
  mutating func add(_ id: String) -> Sending {
    self.count += 1
    self.origins[id, default: []].append(
      (self.count, nil, (ActionOrigin.current, BacklogEntry.current, ServiceContext.current)))
    return Sending(id: id, number: self.count)
  }

  /// The action will not be folded any more.
  mutating func remove(_ sending: Sending) {
    self.origins[sending.id]?.removeAll { $0.number == sending.number }
    if self.origins[sending.id]?.isEmpty == true { self.origins[sending.id] = nil }
  }

  /// The action is in the log, and has not been folded yet.
  mutating func note(_ sending: Sending, at sequence: UInt64) {
    let index = self.origins[sending.id]?.firstIndex { $0.number == sending.number }
    if let index { self.origins[sending.id]?[index].sequence = sequence }
  }

  /// The actions that are known to be in the log up to a sequence will not be folded any more.
  mutating func remove(upTo sequence: UInt64) {
    for id in self.origins.keys {
      self.origins[id]?.removeAll { ($0.sequence ?? .max) <= sequence }
      if self.origins[id]?.isEmpty == true { self.origins[id] = nil }
    }
  }

  /// The origin of an action that is being folded; `nil` if it was not sent here, or if the answer
  /// of the log got lost.
  mutating func take(_ id: String) -> Origin? {
    self.origins.removeValue(forKey: id)?.first?.origin
  }
}
