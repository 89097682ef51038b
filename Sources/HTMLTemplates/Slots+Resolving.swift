extension Slots {
  /// The slot with a name.
  ///
  /// - Throws: ``TemplateError`` that lists the known names and suggests the nearest.
  func resolve(_ name: TemplateName) throws -> Slot<Model> {
    if let slot = self.slot(name.path[...]) { return slot }
    let known = self.knownNames(besides: name.path[...])
    let nearest = known.min { Self.distance($0, name.text) < Self.distance($1, name.text) }
    let length = name.path.last?.count ?? 0
    let isNear = nearest.map { Self.distance($0, name.text) <= max(1, length / 3) }
    let hint = isNear == true ? "; did you mean \"\(nearest ?? "")\"?" : "."
    throw name.position.error(
      "there is no slot \"\(name.text)\"\(hint) "
        + (known.isEmpty ? "There are none." : "There are: \(known.joined(separator: ", ")).")
    )
  }

  /// The slot at the end of a dotted name.
  func slot(_ path: ArraySlice<String>) -> Slot<Model>? {
    guard let first = path.first, let slot = self[first] else { return nil }
    guard path.count > 1 else { return slot }
    if let member = slot.members.slot(path.dropFirst()) { return member }
    guard case .scope(let scope) = slot.kind else { return nil }
    return scope.member(path.dropFirst())
  }

  /// The alternatives to a name, among the members of the part that its first dots reach.
  func knownNames(besides path: ArraySlice<String>) -> [String] {
    if path.count > 1, let first = path.first, let slot = self[first] {
      var members = slot.members.knownNames(besides: path.dropFirst())
      if case .scope(let scope) = slot.kind {
        members += scope.memberNames(besides: path.dropFirst())
      }
      if members.isEmpty == false { return members.map { "\(first).\($0)" } }
    }
    return self.names.filter { $0 != "." && $0 != TemplateSection.attributesName }
  }

  /// The number of characters to insert, remove or replace.
  ///
  /// Source: Wagner and Fischer, The String-to-String Correction Problem.
  private static func distance(_ lhs: String, _ rhs: String) -> Int {
    let rhs = Array(rhs)
    var row = Array(0...rhs.count)
    for (line, character) in lhs.enumerated() {
      var diagonal = row[0]
      row[0] = line + 1
      for (index, other) in rhs.enumerated() {
        let substituted = diagonal + (character == other ? 0 : 1)
        diagonal = row[index + 1]
        row[index + 1] = min(substituted, row[index] + 1, diagonal + 1)
      }
    }
    return row[rhs.count]
  }
}
