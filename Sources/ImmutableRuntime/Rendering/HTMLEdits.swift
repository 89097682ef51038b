/// The texts and attributes that make one piece of HTML another, if they differ in nothing else.
///
/// An edit identifies an element by its position in the HTML. So there are no edits where a
/// browser's document may have other elements than the HTML, or where setting a value is not
/// enough: in forms, dialogs and fields. There are also none where the HTML is not simple enough to
/// be sure. Such changes are sent as HTML.
struct HTMLEdits {
  struct Edit: Hashable {
    enum Target: Hashable {
      /// The text before the child element with this number, or after all child elements.
      case text(before: Int)
      case attribute([UInt8])
    }

    /// The path to the element: the index of each child element, from outside in.
    let path: [Int]
    let target: Target
    /// In UTF-8, not escaped; `nil` if the attribute is gone.
    let value: [UInt8]?
  }

  /// In the order of the document, at least one.
  private(set) var edits: [Edit] = []

  private struct Element {
    let tag: HTMLScanner.Tag
    /// The index of the child element.
    let index: Int
  }

  /// The elements around the position that the scanners have reached, from outside in.
  private var open: [Element] = []
  /// The number of child elements of each of them so far, starting with those without a parent.
  private var children = [0]
  private var old: HTMLScanner
  private var new: HTMLScanner

  /// - Complexity: O(n), n bytes.
  init?(from old: [UInt8], to new: [UInt8]) {
    self.old = HTMLScanner(old)
    self.new = HTMLScanner(new)
    while true {
      guard self.compareTexts() else { return nil }
      guard self.old.isAtEnd == self.new.isAtEnd else { return nil }
      if self.new.isAtEnd { break }
      guard self.compareTags() else { return nil }
    }
    guard self.open.isEmpty, self.edits.isEmpty == false else { return nil }
  }

  private mutating func compareTexts() -> Bool {
    let (old, new) = (self.old.text(), self.new.text())
    if self.old.bytes[old] == self.new.bytes[new] { return true }
    guard self.isEditable, let value = self.new.unescaped(new) else { return false }
    self.add(.text(before: self.children[self.children.count - 1]), value)
    return true
  }

  private mutating func compareTags() -> Bool {
    guard let old = self.old.tag(), let new = self.new.tag(), old.isEnd == new.isEnd,
      old.isEmpty == new.isEmpty, self.old.bytes[old.name] == self.new.bytes[new.name]
    else { return false }
    return new.isEnd ? self.close(new) : self.open(old, new)
  }

  private mutating func close(_ tag: HTMLScanner.Tag) -> Bool {
    guard let element = self.open.popLast() else { return false }
    self.children.removeLast()
    return self.new.bytes[element.tag.name] == self.new.bytes[tag.name]
  }

  private mutating func open(_ old: HTMLScanner.Tag, _ new: HTMLScanner.Tag) -> Bool {
    guard self.isAsWritten(new), self.isFieldOfFormAround(new) == false else { return false }
    self.open.append(Element(tag: new, index: self.children[self.children.count - 1]))
    self.children[self.children.count - 1] += 1
    if self.old.bytes[old.range] != self.new.bytes[new.range] {
      guard self.compareAttributes(old, new) else { return false }
    }
    if new.isEmpty {
      self.open.removeLast()
    } else {
      self.children.append(0)
    }
    return true
  }

  private mutating func compareAttributes(_ old: HTMLScanner.Tag, _ new: HTMLScanner.Tag) -> Bool {
    guard self.isEditable, self.name(of: new, isOneOf: Self.fields) == false,
      let oldOnes = self.old.attributes(of: old), let newOnes = self.new.attributes(of: new)
    else { return false }
    let oldValues = oldOnes.map { (name: self.old.bytes[$0.name], value: self.old.bytes[$0.value]) }
    for attribute in newOnes {
      let name = self.new.bytes[attribute.name]
      let known = oldValues.first { $0.name == name }?.value
      if name.elementsEqual(Self.keeps) { return false }
      if known == self.new.bytes[attribute.value] { continue }
      guard Self.isEditable(name, isThere: known != nil),
        let value = self.new.unescaped(attribute.value)
      else { return false }
      self.add(.attribute(Array(name)), value)
    }
    for (name, _) in oldValues
    where newOnes.contains(where: { self.new.bytes[$0.name] == name }) == false {
      guard Self.isEditable(name, isThere: false) else { return false }
      self.add(.attribute(Array(name)), nil)
    }
    return true
  }

  private mutating func add(_ target: Edit.Target, _ value: [UInt8]?) {
    self.edits.append(Edit(path: self.open.map(\.index), target: target, value: value))
  }
}

// Which elements and attributes may be edited.
extension HTMLEdits {
  /// Elements in which modules add their own elements, or whose content is not plain text.
  private static let closed = [
    "audio", "dialog", "form", "noscript", "optgroup", "option", "select", "textarea", "video",
  ].map { Array($0.utf8) }
  private static let fields =
    Self.closed + ["button", "details", "input"].map { Array($0.utf8) }
  private static let form = Array("form".utf8)
  /// Fields of a form, if they have a name.
  private static let named = ["button", "input", "select", "textarea"].map { Array($0.utf8) }
  private static let name = Array("name".utf8)
  /// Attributes of elements whose content belongs to modules.
  private static let closing = ["data-error", "data-restored"].map { Array($0.utf8) }
  /// It protects attributes from patches.
  private static let keeps = Array("data-keeps".utf8)
  private static let link = Array("data-set".utf8)
  private static let data = Array("data-".utf8)
  /// Attributes that are used to find elements, and attributes that browsers and modules change.
  private static let fixed = [
    "checked", "disabled", "id", "name", "open", "selected", "value",
  ].map { Array($0.utf8) }

  private static func isEditable(_ attribute: ArraySlice<UInt8>, isThere: Bool) -> Bool {
    if attribute.elementsEqual(self.link) { return isThere }
    return attribute.starts(with: self.data) == false
      && attribute.contains(UInt8(ascii: ":")) == false
      && self.fixed.contains { attribute.elementsEqual($0) } == false
  }

  /// Whether the current element may be edited.
  private var isEditable: Bool {
    self.open.allSatisfy { element in
      self.name(of: element.tag, isOneOf: Self.closed) == false
        && (self.new.attributes(of: element.tag) ?? []).allSatisfy { attribute in
          Self.closing.contains { self.new.bytes[attribute.name].elementsEqual($0) } == false
        }
    }
  }

  /// Elements with the only children that browsers leave where they are written. They add missing
  /// elements around others, such as `tr` in `table`, move them out, or leave them out.
  private static let parents: [(parents: [[UInt8]], children: [[UInt8]])] = [
    ("table", "caption colgroup tbody tfoot thead"), ("tbody tfoot thead", "tr"), ("tr", "td th"),
    ("colgroup", "col"), ("select", "hr optgroup option"), ("optgroup", "option"), ("option", ""),
  ].map { (Self.names($0), Self.names($1)) }
  /// The parts of tables, which are left out anywhere else.
  private static let parts = Self.parents.prefix(4).flatMap(\.children)
  private static let raw = Self.names("script style")

  /// Elements that browsers end before another one begins, unless there is a third one between the
  /// two. So the other one is after them in the document, and not in them.
  ///
  /// Source: HTML Standard, section Tree construction, "in body" and foreign content.
  private static let ended: [ArraySlice<UInt8>: [(ended: [[UInt8]], between: [[UInt8]])]] = {
    let headings = "h1 h2 h3 h4 h5 h6"
    let rules = [
      (
        "address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption "
          + "figure footer form header hgroup hr li main menu nav ol p pre search section summary "
          + "table ul \(headings)", "p", "button caption foreignObject object td th"
      ), (headings, headings, ""), ("li", "li", "menu ol ul"), ("dd dt", "dd dt", "dl"),
      ("a", "a", ""), ("button", "button", ""), ("form", "form", ""), ("nobr", "nobr", ""),
      ("rb rp rt rtc", "rb rp rt rtc", "ruby"),
      (
        "b big blockquote br center code dd div dl dt em embed \(headings) hr i img li menu nobr ol "
          + "p pre ruby s small span strike strong sub sup table tt u ul var", "math svg",
        "annotation-xml desc foreignObject title"
      ),
    ].map { (Self.names($0), Self.names($1), Self.names($2)) }
    return rules.reduce(into: [:]) { all, rule in
      for name in rule.0 { all[name[...], default: []].append((rule.1, rule.2)) }
    }
  }()

  private static func names(_ text: String) -> [[UInt8]] {
    text.split(separator: " ").map { Array($0.utf8) }
  }

  /// Whether a browser's document has the element at the same position as the HTML. The content of
  /// scripts is not HTML.
  private func isAsWritten(_ tag: HTMLScanner.Tag) -> Bool {
    if self.name(of: tag, isOneOf: Self.raw) { return false }
    guard let parent = self.open.last?.tag else { return true }
    let rule = Self.parents.first { self.name(of: parent, isOneOf: $0.parents) }
    let isChild = rule.map { self.name(of: tag, isOneOf: $0.children) }
    guard isChild ?? (self.name(of: tag, isOneOf: Self.parts) == false) else { return false }
    return (Self.ended[self.new.bytes[tag.name]] ?? []).allSatisfy { ended, between in
      let around = self.open.last { self.name(of: $0.tag, isOneOf: ended + between) }
      return around.map { self.name(of: $0.tag, isOneOf: between) } ?? true
    }
  }

  private func isFieldOfFormAround(_ tag: HTMLScanner.Tag) -> Bool {
    guard self.name(of: tag, isOneOf: Self.named) else { return false }
    let hasName = (self.new.attributes(of: tag) ?? []).contains {
      self.new.bytes[$0.name].elementsEqual(Self.name)
    }
    return hasName && self.open.contains { self.name(of: $0.tag, isOneOf: [Self.form]) } == false
  }

  private func name(of tag: HTMLScanner.Tag, isOneOf names: [[UInt8]]) -> Bool {
    let name = self.new.bytes[tag.name]
    return names.contains { name.elementsEqual($0) }
  }
}
