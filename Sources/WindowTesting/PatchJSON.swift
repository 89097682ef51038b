/// A patch in the format of docs/PROTOCOL.md.
struct PatchJSON: Decodable {
  /// What a region has besides the rows of its lists.
  enum Content {
    case html(String)
    case edits([Edit])
    case unchanged
  }

  let region: String
  let tag: String
  let content: Content
  /// `nil` if the HTML contains the rows, or if none has changed.
  let lists: [String: [Operation]]?

  init(from decoder: any Decoder) throws {
    var values = try decoder.unkeyedContainer()
    self.region = try values.decode(String.self)
    self.tag = try values.decode(String.self)
    if try values.decodeNil() {
      self.content = .unchanged
    } else if let html = try? values.decode(String.self) {
      self.content = .html(html)
    } else {
      self.content = .edits(try values.decode([Edit].self))
    }
    self.lists = values.isAtEnd ? nil : try values.decode([String: [Operation]].self)
  }

  struct Edit: Decodable {
    enum Target {
      case text(before: Int)
      case attribute(String)
    }

    let path: [Int]
    let value: String?
    let target: Target

    init(path: [Int], value: String?, target: Target) {
      self.path = path
      self.value = value
      self.target = target
    }

    init(from decoder: any Decoder) throws {
      var values = try decoder.unkeyedContainer()
      if let index = try? values.decode(Int.self) {
        self.path = [index]
      } else {
        self.path = try values.decode([Int].self)
      }
      self.value = try values.decode(String?.self)
      if values.isAtEnd {
        self.target = .text(before: 0)
      } else if let name = try? values.decode(String.self) {
        self.target = .attribute(name)
      } else {
        self.target = .text(before: try values.decode(Int.self))
      }
    }
  }

  enum Operation: Decodable {
    case set(key: String, html: String)
    case edit(key: String, [Edit])
    case put(key: String, html: String, before: String?)
    case cut(key: String)
    case move(key: String, before: String?)
    case order([String])

    init(from decoder: any Decoder) throws {
      var values = try decoder.unkeyedContainer()
      switch try values.decode(String.self) {
      case "set":
        self = .set(key: try values.decode(String.self), html: try values.decode(String.self))
      case "edit":
        self = .edit(key: try values.decode(String.self), try values.decode([Edit].self))
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
