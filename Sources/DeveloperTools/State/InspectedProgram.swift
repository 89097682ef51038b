import ImmutableData
import ImmutableRuntime
import ImmutableUI

/// What the developer pages ask of the program that they show. By default, it has no pages, and
/// nothing can be dispatched by hand.
struct InspectedProgram: Sendable {
  /// The regions of a page, as an action or a state makes them.
  typealias Regions<Cause> =
    @Sendable (_ url: String, _ cause: Cause, WindowEnvironment) -> [RegionCause]?
  /// Reads an action of a product from JSON.
  typealias Decode = @Sendable (_ product: String, _ json: String) throws -> DecodedAction?
  /// Makes a state from another one, both of the store of all products.
  typealias Reduce =
    @Sendable (_ state: any Sendable, _ action: any Sendable) throws -> any Sendable

  /// The name of the product of a page; `nil` if there is no such page.
  var productOfPage: @Sendable (_ url: String) -> String? = { _ in nil }
  /// The effect of an action on a page; `nil` if the action was refused or belongs to another
  /// product.
  var causes: Regions<Entry> = { _, _, _ in nil }
  /// The regions of a page in a state; `nil` if the state belongs to another product.
  var regions: Regions<any Sendable> = { _, _, _ in nil }
  /// The content of a region of a page in a state; `nil` if the page does not have the region.
  var tag: @Sendable (_ url: String, _ region: String, any Sendable, WindowEnvironment) -> Tag? = {
    _, _, _, _ in nil
  }
  /// If it is `nil`, developers cannot dispatch by hand or do anything else that visitors notice.
  var decode: Decode?
  /// Why nothing can be put back; `nil` if it is possible.
  var pastObstacle: @Sendable () -> String? = { nil }
  /// The reducer of the store of all products.
  var reduce: Reduce = { state, _ in state }
}
