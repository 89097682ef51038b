/// A patch as docs/PROTOCOL.md has it.
struct PatchJSON: Decodable {
  let region: String
  let tag: String
  let html: String?
  let frame: String?
  let lists: [String: [Operation]]?

  enum Operation: Decodable {
    case set(key: String, html: String)
    case put(key: String, html: String, before: String?)
    case cut(key: String)
    case move(key: String, before: String?)
    case order([String])

    init(from decoder: any Decoder) throws {
      var values = try decoder.unkeyedContainer()
      switch try values.decode(String.self) {
      case "set":
        self = .set(key: try values.decode(String.self), html: try values.decode(String.self))
      case "put":
        self = .put(
          key: try values.decode(String.self),
          html: try values.decode(String.self),
          before: try values.decode(String?.self)
        )
      case "cut":
        self = .cut(key: try values.decode(String.self))
      case "move":
        self = .move(
          key: try values.decode(String.self),
          before: try values.decode(String?.self)
        )
      case "order":
        self = .order(try values.decode([String].self))
      case let name:
        throw DecodingError.dataCorruptedError(
          in: values,
          debugDescription: "there is no row operation \(name)"
        )
      }
    }
  }
}
