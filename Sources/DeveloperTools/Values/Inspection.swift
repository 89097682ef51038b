import Foundation
import ImmutableData
import ImmutableUI
import PlainText

/// The parts of any value, found by reflection. A large value can be inspected part by part.
///
/// Collections of rows by key list the rows in the order of their keys, so that the order is the
/// same in all processes.
struct Inspection {
  struct Part {
    let label: String
    let value: Any
  }

  let count: Int
  /// Whether its parts are rows by key.
  let isRows: Bool
  /// The shape of a value with parts: the case of an enum, or the number of elements of a list.
  /// Empty if the shape does not vary.
  let shape: String
  private let value: Any
  private let slice: (Range<Int>) -> [Part]
  private let find: (String) -> Any?

  init(_ value: Any) {
    self.value = value
    if InspectedType.isAtom(value) {
      (self.count, self.isRows, self.shape) = (0, false, "")
      (self.slice, self.find) = ({ _ in [] }, { _ in nil })
      return
    }
    if let rows = InspectedType.rows(value) {
      (self.count, self.isRows, self.shape) = (rows.rowCount, true, "")
      self.slice = { range in
        rows.keyTexts[range].map { Part(label: $0.text, value: rows.row($0.index)) }
      }
      self.find = { label in
        rows.keyTexts.first { $0.text == label }.map { rows.row($0.index) }
      }
      return
    }
    let mirror = Mirror(reflecting: value)
    let parts = Self.parts(mirror)
    (self.count, self.isRows, self.shape) = (parts.count, false, Self.shape(mirror))
    self.slice = { range in range.map { parts(at: $0) } }
    self.find = { label in
      (0..<parts.count).lazy.map { parts(at: $0) }.first { $0.label == label }?.value
    }
  }

  /// The name of the value's type.
  var type: String { "\(Swift.type(of: self.value))" }

  /// The value on one line.
  var summary: String { Self.summary(of: self.value) }

  /// Some parts, in order.
  ///
  /// - Complexity: O(k), k parts.
  func parts(_ range: Range<Int>) -> [Part] {
    self.slice(range.clamped(to: 0..<self.count))
  }

  /// All parts, in order.
  ///
  /// - Complexity: O(n), n parts.
  var allParts: [Part] { self.slice(0..<self.count) }

  /// All parts except those that equality leaves out, in order.
  ///
  /// - Complexity: O(n), n parts.
  var comparedParts: [Part] {
    let uncompared = InspectedType.uncomparedParts(of: self.value)
    return uncompared.isEmpty
      ? self.allParts : self.allParts.filter { uncompared.contains($0.label) == false }
  }

  /// A value without parts, in full.
  var text: String {
    if let text = self.value as? String { return text }
    if let date = self.value as? Date { return "\(date.timeIntervalSinceReferenceDate)" }
    // Their descriptions are the number of bytes, and depend on the time zone of this process.
    if let data = self.value as? Data { return data.base64EncodedString() }
    if let timeZone = self.value as? TimeZone { return timeZone.identifier }
    return "\(self.value)"
  }

  /// The same text for equal values.
  var comparableText: String {
    let text = self.text
    // Zero equals negative zero.
    if text == "-0.0" || text == "Optional(-0.0)", self.value is String == false {
      return text.replacingBytes("-0.0", with: "0.0")
    }
    return text.normalized
  }

  /// The part with a label.
  func part(_ label: String) -> Any? { self.find(label) }
}

extension Inspection {
  private struct Parts {
    let count: Int
    let part: (Int) -> Part

    func callAsFunction(at index: Int) -> Part { self.part(index) }
  }

  private static var noParts: Parts { Parts(count: 0) { _ in preconditionFailure() } }

  private static func parts(of value: Any) -> Parts {
    InspectedType.isAtom(value) ? self.noParts : self.parts(Mirror(reflecting: value))
  }

  private static func parts(_ mirror: Mirror) -> Parts {
    if mirror.displayStyle == .optional {
      return mirror.children.first.map { self.parts(of: $0.value) } ?? self.noParts
    }
    if mirror.displayStyle == .set {
      // Their order differs in each process.
      let elements = mirror.children.map { ("\($0.value)", $0.value) }.sorted { $0.0 < $1.0 }
      return Parts(count: elements.count) { index in
        Part(label: elements[index].0, value: elements[index].1)
      }
    }
    if mirror.displayStyle == .dictionary {
      let pairs = mirror.children.map { child in
        let pair = Array(Mirror(reflecting: child.value).children)
        return ("\(pair[0].value)", pair[1].value)
      }.sorted { $0.0 < $1.0 }
      return Parts(count: pairs.count) { Part(label: pairs[$0].0, value: pairs[$0].1) }
    }
    if mirror.displayStyle == .collection {
      let children = mirror.children
      return Parts(count: children.count) { index in
        let child = children[children.index(children.startIndex, offsetBy: index)]
        return Part(label: "\(index)", value: child.value)
      }
    }
    var count = 0
    let parts = mirror.children.map { child in
      defer { count += 1 }
      return Part(label: child.label.map(Self.name) ?? "\(count)", value: child.value)
    }
    return Parts(count: parts.count) { parts[$0] }
  }

  private static func shape(of value: Any) -> String {
    guard InspectedType.isAtom(value) == false, InspectedType.rows(value) == nil else { return "" }
    return self.shape(Mirror(reflecting: value))
  }

  private static func shape(_ mirror: Mirror) -> String {
    switch mirror.displayStyle {
    case .optional: mirror.children.first.map { "some " + Self.shape(of: $0.value) } ?? "none"
    case .enum: mirror.children.first?.label ?? ""
    case .collection, .set, .dictionary: "\(mirror.children.count)"
    default: ""
    }
  }

  /// The name of a property without what a property wrapper adds, and of a payload's element `.0`.
  private static func name(_ label: String) -> String {
    label.first == "." || label.first == "_" ? String(label.dropFirst()) : label
  }

  /// A value in one line of at most about 100 characters. A struct is shown with its properties.
  /// Characters that hide or reorder others are escaped.
  static func summary(of value: Any) -> String {
    guard InspectedType.isAtom(value) == false, InspectedType.rows(value) == nil else {
      return Self.shortSummary(of: value).inOneLine
    }
    let mirror = Mirror(reflecting: value)
    if mirror.displayStyle == .optional, let wrapped = mirror.children.first {
      return Self.summary(of: wrapped.value)
    }
    guard mirror.displayStyle == .struct, mirror.children.isEmpty == false else {
      return Self.shortSummary(of: value).inOneLine
    }
    var (text, separator) = ("\(Swift.type(of: value))(", "")
    for child in mirror.children {
      // What follows is not shown.
      if text.utf8.count > 100, text.count > 100 { break }
      let name = child.label.map(Self.name) ?? ""
      text += "\(separator)\(name): \(Self.shortSummary(of: child.value))"
      separator = ", "
    }
    text += ")"
    return (text.count > 100 ? "\(text.prefix(100))…" : text).inOneLine
  }

  /// The same, but a struct is shown as its type.
  private static func shortSummary(of value: Any) -> String {
    if let text = value as? String {
      return text.count > 80 ? "\"\(text.prefix(80))…\"" : "\"\(text)\""
    }
    if let date = value as? Date { return date.formatted(.iso8601) }
    let mirror = Mirror(reflecting: value)
    if mirror.displayStyle == .optional {
      return mirror.children.first.map { Self.shortSummary(of: $0.value) } ?? "nil"
    }
    if InspectedType.isAtom(value) { return "\("\(value)".prefix(100))" }
    if let rows = InspectedType.rows(value) { return Self.elements(rows.rowCount) }
    switch mirror.displayStyle {
    case .collection, .set, .dictionary:
      return Self.elements(mirror.children.count)
    case .enum:
      guard let payload = mirror.children.first else { return ".\(value)" }
      return ".\(payload.label ?? "")(\(Self.payload(payload.value)))"
    case .tuple:
      return "(\(Self.payload(value)))"
    default:
      return mirror.children.isEmpty ? "\("\(value)".prefix(100))" : "\(Swift.type(of: value))"
    }
  }

  /// The payload of an enum's case.
  static func payload(_ value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .tuple else { return Self.shortSummary(of: value).inOneLine }
    let text = mirror.children.map { child in
      let label = child.label.flatMap { $0.first == "." ? nil : "\($0): " } ?? ""
      return label + Self.shortSummary(of: child.value)
    }.joined(separator: ", ")
    return (text.count > 200 ? "\(text.prefix(200))…" : text).inOneLine
  }

  private static func elements(_ count: Int) -> String {
    count == 1 ? "1 element" : "\(count) elements"
  }
}

extension Inspection {
  /// The part that a path leads to: labels, the outermost first.
  static func value(at path: Path, in value: Any) -> Any? {
    path.labels.reduce(Optional(value)) { whole, label in
      whole.flatMap { Inspection($0).part(label) }
    }
  }
}
