/// The path of a page, which may have parameters: `/animals/:animal?`.
///
/// Each parameter is a parameter of the page's local state and takes one segment. With `?` it may
/// be missing; all segments after it must be optional too. Values that a path cannot contain (`.`
/// and `..`, which browsers remove) go into the query, and so do all other parameters.
package struct PagePath: Sendable {
  fileprivate enum Segment: Sendable {
    case literal(String)
    case parameter(String, isOptional: Bool)
  }

  /// The path as it was declared.
  package let text: String
  /// The names of its parameters, in order. Stored, because every link of a page asks for them.
  package let parameters: [String]
  fileprivate let segments: [Segment]

  /// The names of the parameters that may not be missing, in order.
  package let required: [String]

  /// It is a programmer error if the path does not start with `/`, if a required segment follows an
  /// optional one, or if a literal segment has characters that a browser would escape.
  package init(_ text: String) {
    precondition(text.hasPrefix("/"), "the path \"\(text)\" does not start with \"/\"")
    self.text = text
    self.segments = text.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map {
      guard $0.first == ":" else { return .literal(String($0)) }
      let name = $0.dropFirst()
      return name.last == "?"
        ? .parameter(String(name.dropLast()), isOptional: true)
        : .parameter(String(name), isOptional: false)
    }
    self.parameters = self.segments.compactMap {
      if case .parameter(let name, _) = $0 { name } else { nil }
    }
    self.required = self.segments.compactMap {
      if case .parameter(let name, isOptional: false) = $0 { name } else { nil }
    }
    let last = self.segments.lastIndex { $0.isOptional == false } ?? -1
    precondition(
      self.segments[..<max(last, 0)].contains(where: \.isOptional) == false,
      "in the path \"\(text)\" a required segment follows an optional one"
    )
    precondition(
      self.segments.allSatisfy(\.isPlain),
      "the path \"\(text)\" has characters that browsers escape"
    )
  }

  /// The path without parameters; `nil` if it requires one.
  package var withoutParameters: String? {
    var path = ""
    for segment in self.segments {
      switch segment {
      case .literal(let literal): path += "/\(literal)"
      case .parameter(_, let isOptional): if isOptional == false { return nil }
      }
    }
    return path.isEmpty ? "/" : path
  }
}

// Requested paths.
extension PagePath {
  /// The parameters in a requested path; `nil` if the path belongs to another page.
  package func match(_ path: String) -> [QueryItem]? {
    guard path.hasPrefix("/") else { return nil }
    let texts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    guard texts.count <= self.segments.count else { return nil }
    var items: [QueryItem] = []
    for (index, segment) in self.segments.enumerated() {
      switch segment {
      case .literal(let literal):
        guard index < texts.count, texts[index] == literal else { return nil }
      case .parameter(let name, let isOptional):
        guard index < texts.count else {
          if isOptional { return items }
          return nil
        }
        guard texts[index].isEmpty == false else {
          // The root is a path without segments.
          return path == "/" && isOptional ? items : nil
        }
        items.append(QueryItem(name: name, value: Query.decode(segment: texts[index])))
      }
    }
    return items
  }

  /// The parameters of a query that go into the path.
  package func items(of query: Query) -> [QueryItem] {
    var items: [QueryItem] = []
    for name in self.parameters {
      let values = query.values(of: name)
      guard values.count == 1, Self.canHave(values[0]) else { return items }
      items.append(QueryItem(name: name, value: values[0]))
    }
    return items
  }

  /// Whether a query has a value for each required parameter. Otherwise no URL of this path stands
  /// for it.
  package func isComplete(_ query: Query) -> Bool {
    self.required.isEmpty || self.items(of: query).count >= self.required.count
  }

  /// The path and query for a local state, which has to be complete.
  package func url(_ query: Query) -> String {
    guard self.parameters.isEmpty == false else {
      return query.items.isEmpty ? self.text : "\(self.text)?\(query.text)"
    }
    var bytes: [UInt8] = []
    let count = self.write(into: &bytes) { name in
      let values = query.values(of: name)
      return values.count == 1 ? values[0] : nil
    }
    let (path, used) = (String(decoding: bytes, as: UTF8.self), self.parameters.prefix(count))
    let rest = Query(query.items.filter { used.contains($0.name) == false })
    return rest.items.isEmpty ? path : "\(path)?\(rest.text)"
  }

  /// Appends the path, up to the first parameter without a value that a path can contain.
  ///
  /// - Parameter value: Returns the value of a parameter.
  /// - Returns: The number of its parameters.
  package func write(into url: inout [UInt8], _ value: (String) -> String?) -> Int {
    var (count, isComplete) = (0, true)
    for segment in self.segments {
      switch segment {
      case .literal(let literal):
        url.append(UInt8(ascii: "/"))
        url += literal.utf8
      case .parameter(let name, _):
        guard isComplete, let value = value(name), Self.canHave(value) else {
          isComplete = false
          continue
        }
        url.append(UInt8(ascii: "/"))
        Query.encode(value, space: "%20", into: &url)
        count += 1
      }
    }
    if url.isEmpty { url.append(UInt8(ascii: "/")) }
    return count
  }

  /// Whether some path matches both this and another.
  package func overlaps(_ other: Self) -> Bool {
    for (one, two) in zip(self.segments, other.segments) {
      if case .literal(let left) = one, case .literal(let right) = two, left != right {
        return false
      }
      if one.isOptional && two.isOptional { return true }
    }
    let (shorter, longer) =
      self.segments.count < other.segments.count ? (self, other) : (other, self)
    return longer.segments.dropFirst(shorter.segments.count).allSatisfy(\.isOptional)
  }

  private static func canHave(_ value: String) -> Bool {
    value.isEmpty == false && value != "." && value != ".."
  }
}

extension PagePath: Hashable {
  package static func == (lhs: Self, rhs: Self) -> Bool { lhs.text == rhs.text }

  package func hash(into hasher: inout Hasher) { hasher.combine(self.text) }
}

extension PagePath.Segment {
  fileprivate var isOptional: Bool {
    if case .parameter(_, isOptional: true) = self { true } else { false }
  }

  /// Whether a browser requests it as it is written.
  ///
  /// Source: RFC 3986, section 3.3.
  fileprivate var isPlain: Bool {
    guard case .literal(let text) = self else { return true }
    return text.allSatisfy {
      $0.isASCII && ($0.isLetter || $0.isNumber || "-._~!$&'()*+,;=:@".contains($0))
    }
  }
}
