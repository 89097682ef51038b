import Foundation
import ImmutableData
import ImmutableRuntime

/// An action as it is recorded, with its time and its result.
struct Recorded: Sendable {
  let time: Date
  let dispatch: ProductDispatch
  /// The same action in the store of all products, of which that product is a part; `nil` if the
  /// action belongs to another store.
  var whole: Dispatch<any Sendable, any Sendable>? = nil
}
