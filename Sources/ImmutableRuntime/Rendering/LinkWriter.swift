import HTMLTemplates
import ImmutableUI

/// Writes the links of a page that set some of its parameters. There may be thousands. Most set the
/// same parameters as the link before, so they keep the same others.
struct LinkWriter: Sendable {
  private let path: PagePath
  private let query: Query
  private let checkParameter: @Sendable (String) -> Void
  /// The names of the parameters that the last link set.
  private var names: [String]?
  /// The parameters that it kept.
  private var kept: [QueryItem] = []
  /// The number of parameters in its path; `nil` if ``rest`` is not known.
  private var count: Int?
  /// The kept parameters that are not in its path, as they begin the URL's query.
  private var rest: [UInt8] = []
  /// The URL of the last link. It is a property for its capacity.
  private var url: [UInt8] = []

  /// - Parameters:
  ///   - path: The page's path.
  ///   - query: The page's query.
  ///   - checkParameter: Receives the names of parameters that links set.
  init(
    path: PagePath,
    query: Query,
    checkParameter: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.path = path
    self.query = query
    self.checkParameter = checkParameter
  }

  /// - Parameters:
  ///   - changes: What the link sets; an empty value removes a parameter.
  ///   - target: The `id` of the element to scroll to.
  /// - Complexity: O(n), n bytes of the URL, if the last link set the same parameters.
  mutating func write(
    _ changes: [QueryItem],
    target: String?,
    into writer: inout HTMLWriter
  ) {
    // Without what the path requires, there is no such page, so the link keeps it.
    self.write(
      self.path.required.isEmpty
        ? changes
        : changes.filter {
          $0.value.isEmpty == false || self.path.required.contains($0.name) == false
        })
    if let target {
      self.url.append(UInt8(ascii: "#"))
      Query.encode(target, space: "%20", into: &self.url)
    }
    writer.write(" href=\"")
    writer.escape(bytes: self.url)
    writer.write("\"")
  }

  private mutating func write(_ changes: [QueryItem]) {
    if self.names?.elementsEqual(changes.lazy.map { $0.name }) != true {
      let names = changes.map { $0.name }
      names.forEach(self.checkParameter)
      self.kept = self.query.items.filter { names.contains($0.name) == false }
      (self.names, self.count) = (names, nil)
    }
    self.url.removeAll(keepingCapacity: true)
    // Most need no path, if it has no parameters.
    let count = self.path.parameters.isEmpty ? 0 : self.writePath(changes)
    let used = self.path.parameters.prefix(count)
    if self.count != count {
      let rest = Query(self.kept.filter { used.contains($0.name) == false }).text
      self.rest = rest.isEmpty ? [] : Array("?\(rest)".utf8)
      self.count = count
    }
    self.url += self.rest
    var separator = self.rest.isEmpty ? UInt8(ascii: "?") : UInt8(ascii: "&")
    for change in changes where change.value.isEmpty == false && !used.contains(change.name) {
      self.url.append(separator)
      Query.encode(change.name, into: &self.url)
      self.url.append(UInt8(ascii: "="))
      Query.encode(change.value, into: &self.url)
      separator = UInt8(ascii: "&")
    }
    if self.url.isEmpty { self.url += self.path.text.utf8 }
  }

  /// - Returns: The number of parameters in the path.
  private mutating func writePath(_ changes: [QueryItem]) -> Int {
    let kept = self.kept
    return self.path.write(into: &self.url) { name in
      var value: String?
      for items in [kept, changes] {
        for item in items where item.name == name && item.value.isEmpty == false {
          guard value == nil else { return nil }
          value = item.value
        }
      }
      return value
    }
  }
}
