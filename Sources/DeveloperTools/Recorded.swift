import Foundation
import ImmutableRuntime

/// An action as it is recorded: when, and what came of it.
struct Recorded: Sendable {
  let time: Date
  let dispatch: ProductDispatch
}
