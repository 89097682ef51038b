import Synchronization

/// A flag that is set once, and never cleared.
package final class Latch: Sendable {
  private let value = Atomic(false)

  package var isSet: Bool {
    self.value.load(ordering: .acquiring)
  }

  package init() {}

  package func set() {
    self.value.store(true, ordering: .releasing)
  }
}
