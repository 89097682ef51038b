package import Foundation
import ImmutableData
import ImmutableUI

/// An action that was read from JSON. The types of its product are erased.
package struct DecodedAction: Sendable {
  package let action: any Sendable
  /// Dispatches it to the product's store. If the reducer throws, this rethrows the error, and the
  /// state is unchanged.
  package let dispatch: @Sendable () async throws -> Void
}

extension Product {
  nonisolated func action(json: Data) throws -> DecodedAction? {
    guard let type = State.Action.self as? any Decodable.Type,
      let action = try JSONDecoder().decode(type, from: json) as? State.Action
    else { return nil }
    let store = self.source
    return DecodedAction(action: action) {
      _ = try await store.post(action: action, id: Identifier().text)
    }
  }
}

extension WindowGroup {
  /// Reads an action of a product from JSON.
  ///
  /// - Parameters:
  ///   - json: The action, as its `Codable` conformance writes it.
  ///   - isProduct: Whether a name is that of the product, which is the name of its state's type.
  /// - Returns: `nil` if there is no such product, or if its actions are not `Decodable`.
  /// - Throws: `DecodingError` if it is not an action of the product.
  package func action(
    json: Data,
    where isProduct: (String) -> Bool
  ) throws -> DecodedAction? {
    try self.allProducts.first { isProduct($0.name) && $0.isPart }?.action(json: json)
  }
}
