import AnimalsData
import Foundation
import HTTPTypes
import Pictures
import PlainText

extension RemoteRequest {
  /// Parses the body of a request.
  ///
  /// - Throws: ``HTTPFailure`` that names the problem: 400 if it is not a request, 422 for a value
  ///   that cannot be saved.
  init(body: Data) throws {
    // One decoder for both: of a repeated key, decoders take different values.
    let decoder = JSONDecoder()
    let json: Any
    do {
      json = try decoder.decode(JSONTree.self, from: body).value
    } catch {
      throw HTTPFailure(
        status: .badRequest,
        message: body.isEmpty ? "The body is empty. Send JSON." : "The body is not valid JSON."
      )
    }
    try Self.check(json)
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

  /// Reports problems more clearly than decoding does.
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
      // These are optional.
      if ["picture", "position"].contains(field), payload[field] == nil || payload[field] is NSNull
      {
        continue
      }
      guard let value = payload[field] else {
        throw Self.malformed("\(path).\(name) has no “\(field)”.")
      }
      if field == "isFavorite" {
        guard value is Bool else {
          throw Self.malformed("\(path).\(name).\(field) must be true or false.")
        }
        continue
      }
      guard let value = value as? String else {
        throw Self.malformed("\(path).\(name).\(field) must be a string.")
      }
      try Self.check(value, of: field, at: "\(path).\(name)")
    }
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

  private static func description(of problem: AnimalName.Problem) -> String {
    switch problem {
    case .empty: "an empty name. Give the animal a name."
    case .tooLong:
      "a name of more than \(Animal.nameLimit) characters, or of too many bytes. Shorten it."
    case .hiddenCharacters:
      "a name with control characters or invisible characters. Leave them out."
    case .tooManyMarks: "a name with too many marks on one letter. Leave some out."
    }
  }

  /// A name is saved as ``AnimalName`` normalized it while decoding.
  private mutating func normalizeNames() throws {
    self = Self(
      query: self.query,
      mutation: try self.mutation?.enumerated().map { index, mutation in
        do {
          return try mutation.withNormalizedName()
        } catch let problem as AnimalName.Problem {
          let path = "mutation[\(index)].\(mutation.name)"
          throw Self.unsaveable("\(path) has \(Self.description(of: problem))")
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

/// Any JSON: a dictionary, an array, a string, a number, a Boolean or `NSNull`.
private struct JSONTree: Decodable {
  let value: Any

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self.value = NSNull()
    } else if let value = try? container.decode(Bool.self) {
      self.value = value
    } else if let value = try? container.decode(Double.self) {
      self.value = value
    } else if let value = try? container.decode(String.self) {
      self.value = value
    } else if let values = try? container.decode([JSONTree].self) {
      self.value = values.map(\.value)
    } else {
      self.value = try container.decode([String: JSONTree].self).mapValues(\.value)
    }
  }
}
