import ImmutableData
import TestSupport

@testable import DeveloperTools

extension Developer {
  /// Looks at the state of the developer pages until a condition holds.
  @discardableResult
  func wait(until holds: (DeveloperState) -> Bool) async -> DeveloperState {
    while true {
      self.look()
      let state = self.store.snapshot().state
      if holds(state) { return state }
      await letOthersGoOn()
    }
  }
}
