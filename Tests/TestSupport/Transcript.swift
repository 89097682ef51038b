import Synchronization

/// What happened, in its order, from whichever thread.
public final class Transcript<Entry: Sendable>: Sendable {
  private struct Contents {
    var entries: [Entry] = []
    var waiting: [(isMet: @Sendable ([Entry]) -> Bool, gate: Gate)] = []
  }

  private let contents = Mutex(Contents())

  public init() {}

  public var entries: [Entry] {
    self.contents.withLock { $0.entries }
  }

  public func append(_ entry: Entry) {
    self.contents.withLock { contents in
      contents.entries.append(entry)
      contents.waiting.removeAll { waiting in
        guard waiting.isMet(contents.entries) else { return false }
        waiting.gate.open()
        return true
      }
    }
  }

  /// Waits until the entries meet a condition.
  public func wait(until isMet: @escaping @Sendable ([Entry]) -> Bool) async {
    let gate = Gate()
    self.contents.withLock { contents in
      if isMet(contents.entries) {
        gate.open()
      } else {
        contents.waiting.append((isMet, gate))
      }
    }
    await gate.wait()
  }
}
