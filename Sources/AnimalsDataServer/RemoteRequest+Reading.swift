import AnimalsData
import Foundation
import HTTPTypes

extension RemoteRequest {
  /// Reads what a client sent.
  ///
  /// - Throws: ``Failure`` that names what is wrong: 400 for what is no request, 422 for a value that
  ///   cannot be saved.
  init(body: Data) throws {
    let json: Any
    do {
      json = try JSONSerialization.jsonObject(with: body, options: .fragmentsAllowed)
    } catch {
      throw Failure(
        status: .badRequest,
        message: body.isEmpty ? "The body is empty. Send JSON." : "The body is not valid JSON."
      )
    }
    try Self.check(json)
    do {
      self = try JSONDecoder().decode(Self.self, from: body)
    } catch {
      throw Failure(status: .badRequest, message: "The body is not a request for /animals/api.")
    }
  }

  private static let lists: [String: [String: [String]]] = [
    "query": ["categories": [], "animals": []],
    "mutation": [
      "addAnimal": ["name", "diet", "categoryId"],
      "updateAnimal": ["animalId", "name", "diet", "categoryId"],
      "deleteAnimal": ["animalId"],
      "reloadSampleData": [],
    ],
  ]

  /// The most queries, and the most mutations, of one request: each answer may hold all animals.
  private static let limit = 100

  /// Says what is wrong more clearly than decoding does.
  private static func check(_ json: Any) throws {
    guard let request = json as? [String: Any] else {
      throw Self.malformed("The body must be an object with “query” or “mutation”.")
    }
    for (key, value) in request.sorted(by: { $0.key < $1.key }) {
      guard let cases = Self.lists[key] else {
        throw Self.malformed("“\(key)” is not known. Known are “query” and “mutation”.")
      }
      guard value is NSNull == false else { continue }
      guard let elements = value as? [Any] else {
        throw Self.malformed("“\(key)” must be an array.")
      }
      guard elements.count <= Self.limit else {
        throw Self.unsaveable("“\(key)” has more than \(Self.limit) elements. Send fewer at once.")
      }
      for (index, element) in elements.enumerated() {
        try Self.check(element, at: "\(key)[\(index)]", cases)
      }
    }
  }

  private static func check(_ element: Any, at path: String, _ cases: [String: [String]]) throws {
    let known = cases.keys.sorted().map { "“\($0)”" }.joined(separator: ", ")
    guard let element = element as? [String: Any], element.count == 1,
      let (name, payload) = element.first
    else {
      throw Self.malformed("\(path) must be an object with one key, one of \(known).")
    }
    guard let fields = cases[name] else {
      throw Self.malformed("\(path) has “\(name)”, which is not known. Known are \(known).")
    }
    guard let payload = payload as? [String: Any] else {
      throw Self.malformed("\(path).\(name) must be an object.")
    }
    for field in fields {
      guard let value = payload[field] else {
        throw Self.malformed("\(path).\(name) has no “\(field)”.")
      }
      guard let value = value as? String else {
        throw Self.malformed("\(path).\(name).\(field) must be a string.")
      }
      try Self.check(value, of: field, at: "\(path).\(name)")
    }
  }

  private static func check(_ value: String, of field: String, at path: String) throws {
    switch field {
    case "name" where value.allSatisfy(\.isWhitespace):
      throw Self.unsaveable("\(path) has an empty name. Give the animal a name.")
    case "name" where value.count > Animal.nameLimit:
      throw Self.unsaveable(
        "\(path) has a name of more than \(Animal.nameLimit) characters. Shorten it."
      )
    case "diet" where Animal.Diet(rawValue: value) == nil:
      let known = Animal.Diet.allCases.map { "“\($0.rawValue)”" }.joined(separator: ", ")
      throw Self.unsaveable(
        "\(path) has the diet “\(value)”, which is not known. Known are \(known).")
    default:
      break
    }
  }

  private static func malformed(_ message: String) -> Failure {
    Failure(status: .badRequest, message: message)
  }

  private static func unsaveable(_ message: String) -> Failure {
    Failure(status: .unprocessableContent, message: message)
  }
}
