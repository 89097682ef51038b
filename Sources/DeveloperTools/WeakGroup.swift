import ImmutableRuntime
import Synchronization

/// The window group that is inspected. It is not retained, because it retains the provider's store.
final class WeakGroup: Sendable {
  private struct Reference: Sendable {
    weak var windows: WindowGroup?
  }

  private let reference = Mutex(Reference())

  var windows: WindowGroup? {
    get { self.reference.withLock { $0.windows } }
    set { self.reference.withLock { $0.windows = newValue } }
  }
}
