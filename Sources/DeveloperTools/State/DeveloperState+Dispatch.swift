import Foundation
import ImmutableData
import ImmutableRuntime
import ImmutableUI

extension DeveloperState {
  /// Reads an action to dispatch by hand.
  ///
  /// - Throws: ``Refusal`` for the invalid field.
  func action(of product: String, json: String) throws -> DecodedAction {
    guard let decode = self.program.decode else {
      throw Refusal(.unknown, "Nothing can be dispatched by hand here.")
    }
    do {
      if let action = try decode(product, json) { return action }
    } catch {
      throw Refusal(
        field: DispatchForm.json.name,
        Self.syntaxError(json) ?? "\(DecodingProblem(error, in: Data(json.utf8)))")
    }
    throw Refusal(
      field: DispatchForm.product.name,
      "Actions of \(product) cannot be read from JSON. Make them Codable.")
  }

  /// Why a text is not JSON, with the position; `nil` if it is.
  private static func syntaxError(_ json: String) -> String? {
    do {
      _ = try JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed)
      return nil
    } catch {
      let place = (error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String
      return "This is not JSON. \(place ?? "")"
    }
  }

  /// Why the product refused the newest dispatch by hand.
  var dispatchFailure: String? { self.dispatches.values.lazy.compactMap(\.error).first }

  /// The newest action of each kind that can be written as JSON, newest first; at most 100.
  ///
  /// - Complexity: O(n), n entries.
  var examples: [Entry] {
    var seen: Set<[String]> = []
    let examples = self.entries(of: nil).lazy.filter { entry in
      entry.isJSON && seen.insert([entry.product, entry.name]).inserted
    }
    return Array(examples.prefix(100))
  }
}
