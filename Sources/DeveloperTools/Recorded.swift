import Foundation
import ImmutableData
import ImmutableRuntime

/// An action as it is recorded: when, and what came of it.
struct Recorded: Sendable {
  let time: Date
  let dispatch: ProductDispatch
  /// The same action in the store of all products, of which that product is a part; `nil` if the action
  /// is that of another store.
  var whole: Dispatch<any Sendable, any Sendable>? = nil
}
