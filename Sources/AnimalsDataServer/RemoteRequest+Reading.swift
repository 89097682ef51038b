import AnimalsData
import Foundation
import HTTPConnections
import HTTPTypes
import Pictures
import PlainText

extension RemoteRequest {
  /// Parses the body of a request.
  ///
  /// - Throws: `HTTPFailure` that names the problem: 400 if it is not a request, 422 for a value
  ///   that cannot be saved.
  /// - Complexity: O(n), n bytes.
  init(body: Data) throws {
    if let problem = body.problemAsJSON { throw Self.malformed("The body \(problem).") }
    // One decoder for both: of a repeated key, decoders take different values.
    let decoder = JSONDecoder()
    do {
      _ = try decoder.decode(CheckedRequest.self, from: body)
    } catch let failure as HTTPFailure {
      throw failure
    } catch {
      throw HTTPFailure(
        status: .badRequest,
        message: body.isEmpty ? "The body is empty. Send JSON." : "The body is not valid JSON."
      )
    }
    do {
      self = try decoder.decode(Self.self, from: body)
    } catch {
      throw HTTPFailure(status: .badRequest, message: "The body is not a request for /animals/api.")
    }
    try self.normalizeNames()
  }

  private static let lists: [String: [String: [String]]] = [
    "query": ["categories": [], "animals": []],
    "mutation": [
      "addAnimal": ["name", "diet", "categoryId"],
      "updateAnimal": ["animalId", "name", "diet", "categoryId"],
      "deleteAnimal": ["animalId"],
      "favoriteAnimal": ["animalId", "isFavorite"],
      "moveAnimal": ["animalId", "position"],
      "pictureAnimal": ["animalId", "picture"],
      "reloadSampleData": [],
    ],
  ]

  /// The maximum number of queries, and of mutations, in one request.
  private static let limit = 100

  /// Reports problems more clearly than decoding does. It looks only at values that a request has,
  /// and ends at the first problem, because each one costs an error.
  fileprivate static func check(_ decoder: any Decoder) throws {
    guard let request = try ifOfType({ try decoder.container(keyedBy: JSONKey.self) }) else {
      throw Self.malformed("The body must be an object with “query” or “mutation”.")
    }
    for key in request.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) {
      let name = key.stringValue
      guard let cases = Self.lists[name] else {
        throw Self.malformed("“\(name)” is not known. Known are “query” and “mutation”.")
      }
      guard try request.decodeNil(forKey: key) == false else { continue }
      guard var elements = try ifOfType({ try request.nestedUnkeyedContainer(forKey: key) }) else {
        throw Self.malformed("“\(name)” must be an array.")
      }
      guard let count = elements.count, count <= Self.limit else {
        throw Self.unsaveable("“\(name)” has more than \(Self.limit) elements. Send fewer at once.")
      }
      for index in 0..<count {
        let element = try ifOfType { try elements.nestedContainer(keyedBy: JSONKey.self) }
        try Self.check(element, at: "\(name)[\(index)]", cases)
      }
    }
  }

  private static func check(
    _ element: KeyedDecodingContainer<JSONKey>?,
    at path: String,
    _ cases: [String: [String]]
  ) throws {
    let known = cases.keys.sorted().map { "“\($0)”" }.joined(separator: ", ")
    guard let element, element.allKeys.count == 1, let key = element.allKeys.first else {
      throw Self.malformed("\(path) must be an object with one key, one of \(known).")
    }
    let name = key.stringValue
    guard let fields = cases[name] else {
      throw Self.malformed("\(path) has “\(name)”, which is not known. Known are \(known).")
    }
    let payload = try ifOfType {
      try element.nestedContainer(keyedBy: JSONKey.self, forKey: key)
    }
    guard let payload else { throw Self.malformed("\(path).\(name) must be an object.") }
    for field in fields { try Self.check(field, of: payload, at: "\(path).\(name)") }
  }

  private static func check(
    _ field: String,
    of payload: KeyedDecodingContainer<JSONKey>,
    at path: String
  ) throws {
    let key = JSONKey(stringValue: field)
    let isOptional = ["picture", "position"].contains(field)
    guard payload.contains(key) else {
      guard isOptional else { throw Self.malformed("\(path) has no “\(field)”.") }
      return
    }
    if isOptional, try payload.decodeNil(forKey: key) { return }
    if field == "isFavorite" {
      guard try ifOfType({ try payload.decode(Bool.self, forKey: key) }) != nil else {
        throw Self.malformed("\(path).\(field) must be true or false.")
      }
      return
    }
    guard let value = try ifOfType({ try payload.decode(String.self, forKey: key) }) else {
      throw Self.malformed("\(path).\(field) must be a string.")
    }
    try Self.check(value, of: field, at: path)
  }

  private static func check(_ value: String, of field: String, at path: String) throws {
    switch field {
    case "animalId" where value.utf8.count > Self.idLimit,
      "categoryId" where value.utf8.count > Self.idLimit:
      throw Self.unsaveable(
        "\(path) has a “\(field)” of more than \(Self.idLimit) bytes, which no id has."
      )
    case "position" where Animal.Position(value) == nil:
      throw Self.unsaveable(
        "\(path) has an invalid “position”. Send the position of another animal, or none."
      )
    case "picture" where Picture(value) == nil:
      throw Self.unsaveable(
        "\(path) has an invalid “picture”. Send the one from the answer to its upload, or none."
      )
    case "diet" where Animal.Diet(rawValue: value) == nil:
      let known = Animal.Diet.allCases.map { "“\($0.rawValue)”" }.joined(separator: ", ")
      throw Self.unsaveable(
        "\(path) has the diet “\(value)”, which is not known. Known are \(known).")
    default:
      break
    }
  }

  /// The maximum size of an id, in bytes. Nothing on this server has a longer one.
  private static let idLimit = 100

  /// A name is saved as ``AnimalName`` normalized it while decoding.
  private mutating func normalizeNames() throws {
    self = Self(
      query: self.query,
      mutation: try self.mutation?.enumerated().map { index, mutation in
        do {
          return try mutation.withNormalizedName()
        } catch let problem as AnimalName.Problem {
          throw Self.unsaveable(
            "mutation[\(index)].\(mutation.name).name: \(AnimalName.rule.message(problem))")
        }
      }
    )
  }

  private static func malformed(_ message: String) -> HTTPFailure {
    HTTPFailure(status: .badRequest, message: message)
  }

  private static func unsaveable(_ message: String) -> HTTPFailure {
    HTTPFailure(status: .unprocessableContent, message: message)
  }
}

extension RemoteRequest.Mutation {
  /// The JSON form.
  fileprivate var name: String {
    switch self {
    case .addAnimal: "addAnimal"
    case .updateAnimal: "updateAnimal"
    case .deleteAnimal: "deleteAnimal"
    case .favoriteAnimal: "favoriteAnimal"
    case .moveAnimal: "moveAnimal"
    case .pictureAnimal: "pictureAnimal"
    case .reloadSampleData: "reloadSampleData"
    }
  }

  /// - Throws: ``AnimalName/Problem``.
  fileprivate func withNormalizedName() throws -> Self {
    switch self {
    case .addAnimal(let name, let diet, let categoryId):
      .addAnimal(name: try AnimalName(name).text, diet: diet, categoryId: categoryId)
    case .updateAnimal(let animalId, let name, let diet, let categoryId):
      .updateAnimal(
        animalId: animalId,
        name: try AnimalName(name).text,
        diet: diet,
        categoryId: categoryId
      )
    case .deleteAnimal, .favoriteAnimal, .moveAnimal, .pictureAnimal, .reloadSampleData:
      self
    }
  }
}

/// Decoding it only checks it; see ``RemoteRequest/check(_:)``.
private struct CheckedRequest: Decodable {
  init(from decoder: any Decoder) throws {
    try RemoteRequest.check(decoder)
  }
}

private struct JSONKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) {
    self.stringValue = stringValue
  }

  init?(intValue: Int) {
    return nil
  }
}

/// - Returns: `nil` if the value is of another type.
/// - Throws: An error if it is not valid JSON.
private func ifOfType<Value>(_ decode: () throws -> Value) throws -> Value? {
  do {
    return try decode()
  } catch DecodingError.typeMismatch, DecodingError.valueNotFound {
    return nil
  }
}
