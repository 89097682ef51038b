import HTMLTemplates

// Lists.
extension RenderContext {
  /// Renders the rows that differ from the region's last render.
  ///
  /// - Complexity: O(n), n rows, with one comparison each; O(1) if the array is the same.
  func render<Row>(
    _ name: String,
    _ values: [Row],
    _ program: TemplateProgram<Row>
  ) -> RenderedList where Row: Identifiable & Equatable & Sendable {
    guard let old = self.previous?.lists.first(where: { $0.name == name }),
      let oldValues = old.values as? [Row]
    else {
      let unique = values.withoutRepeatedIDs()
      let rows = unique.map { self.render(row: $0, of: name, program) }
      return RenderedList(name: name, rows: rows, values: unique)
    }
    if oldValues.isSameBuffer(as: values) { return old }
    if let kept = oldValues.kept(in: values) {
      var (edits, next, added): ([RenderedList.Edit], Int, [RenderedRow]) = ([], 0, [])
      for (position, index) in kept.enumerated() {
        guard let index else {
          added.append(self.render(row: values[position], of: name, program))
          continue
        }
        if index > next || added.isEmpty == false {
          edits.append(RenderedList.Edit(replaced: next..<index, rows: added))
          added = []
        }
        next = index + 1
      }
      edits.append(RenderedList.Edit(replaced: next..<old.count, rows: added))
      return RenderedList(from: old, edits, values: values)
    }
    // Only the rows between equal ones are looked up. If there are none, no id repeats, because none
    // did before.
    var (start, end) = oldValues.commonEnds(with: values)
    let unique = values.count == start + end ? values : values.withoutRepeatedIDs()
    if unique.count < values.count { (start, end) = oldValues.commonEnds(with: unique) }
    let replaced = start..<old.count - end
    let oldIndices = Dictionary(
      replaced.lazy.map { (oldValues[$0].id, $0) }, uniquingKeysWith: { first, _ in first })
    let middle = unique[start..<unique.count - end].map { value in
      if let index = oldIndices[value.id], oldValues[index] == value { return old[index] }
      return self.render(row: value, of: name, program)
    }
    let edit = RenderedList.Edit(replaced: replaced, rows: middle)
    return RenderedList(from: old, [edit], values: unique)
  }

  /// Renders the rows that have changed since the region's last render.
  ///
  /// - Complexity: That of ``ListRows/change(from:_:)``, plus O(k) references for k rows, and a row for
  ///   each that may have changed.
  func render<Source, Row>(
    _ name: String,
    _ list: ListRows<Source, Row>,
    _ program: TemplateProgram<Row>
  ) -> RenderedList {
    typealias Shown = ShownRows<Source, Row>
    guard let old = self.previous?.lists.first(where: { $0.name == name }),
      let shown = old.values as? Shown
    else {
      let rows = (0..<list.count).map { self.render(row: list.row(at: $0), of: name, program) }
      return RenderedList(name: name, rows: rows, values: Shown(list), heapSize: list.heapSize)
    }
    let change = list.change(from: shown.list, shown.positions)
    // Of the rows that may have changed or moved.
    let concerned = Array(change.replaced) + change.changed.map(\.old)
    let oldPositions = Dictionary(
      concerned.map { (shown.list.id(at: $0), $0) }
    ) { first, _ in first }
    func row(at position: Int) -> RenderedRow {
      let value = list.row(at: position)
      if let index = oldPositions[list.id(at: position)], shown.list.row(at: index) == value {
        return old[index]
      }
      return self.render(row: value, of: name, program)
    }
    func edit(_ replaced: Range<Int>, _ positions: Range<Int>) -> RenderedList.Edit {
      RenderedList.Edit(replaced: replaced, rows: positions.map(row))
    }
    var edits = change.changed.map { edit($0.old..<$0.old + 1, $0.new..<$0.new + 1) }
    edits.append(edit(change.replaced, change.replacing))
    let (end, oldEnd) = (list.count - change.addedLast, old.count - change.removedLast)
    edits.append(edit(oldEnd..<old.count, end..<list.count))
    edits.sort {
      ($0.replaced.lowerBound, $0.replaced.upperBound)
        < ($1.replaced.lowerBound, $1.replaced.upperBound)
    }
    let isSameOrder =
      change.isInPlace && concerned.allSatisfy { list.id(at: $0) == shown.list.id(at: $0) }
    let rendered = RenderedList(
      from: old,
      edits,
      values: Shown(list, at: isSameOrder ? shown.positions : nil),
      heapSize: list.heapSize
    )
    self.counters.audit { self.finding(rendered, list, program) }
    return rendered
  }

  private func finding<Source, Row>(
    _ rendered: RenderedList,
    _ list: ListRows<Source, Row>,
    _ program: TemplateProgram<Row>
  ) -> String? {
    let fresh = RenderedList(
      name: rendered.name,
      rows: (0..<list.count).map { position in
        var writer = HTMLWriter()
        let row = list.row(at: position)
        program.render(row, into: &writer)
        return RenderedRow(key: "\(row.id)", writer)
      },
      values: [Row]()
    )
    guard fresh.rows.map(\.tag) == rendered.rows.map(\.tag) else {
      return "a row of \(rendered.name) was kept although it has changed: it depends on something "
        + "that its ListRows does not capture, or on rows beyond its reach"
    }
    guard fresh.tag == rendered.tag, fresh.groups.map(\.tag) == rendered.groups.map(\.tag) else {
      return "\(rendered.name) has the rows of a list that is built anew, but not its tag"
    }
    return nil
  }

  private func render<Row>(
    row value: Row,
    of name: String,
    _ program: TemplateProgram<Row>
  ) -> RenderedRow where Row: Identifiable & Equatable & Sendable {
    var writer = HTMLWriter(capacity: 256)
    program.render(value, into: &writer)
    self.counters.rowRenders.add()
    assert(
      writer.holes.allSatisfy {
        $0.content is RenderedList == false && $0.content is NestedRegion == false
      },
      "a row of \(name) has a list or a region in it: only regions may"
    )
    return RenderedRow(key: "\(value.id)", writer)
  }
}

extension Array where Element: Identifiable & Equatable {
  /// For each element of another array, the index of the element here that equals it, if there is one.
  /// Most changes are so small that this needs no table of ids. Equal elements must have equal ids,
  /// and no id repeats here.
  ///
  /// - Returns: `nil` if elements have moved, if an id of the other array repeats, if it has more than
  ///   a few new ones, or if it lacks more than a few elements in a row.
  /// - Complexity: O(n), n elements.
  fileprivate func kept(in other: Self) -> [Int?]? {
    let few = 4
    // It loops over pointers, because unspecialised generic code copies every value that it takes out
    // of an array, including all its strings.
    return self.withUnsafeBufferPointer { old in
      other.withUnsafeBufferPointer { new in
        var kept: [Int?] = []
        kept.reserveCapacity(new.count)
        var added: [Int] = []
        var next = 0
        for position in 0..<new.count {
          if next < old.count, old[next] == new[position] {
            kept.append(next)
            next += 1
            continue
          }
          let near = next..<Swift.min(next + few, old.count)
          if let index = near.first(where: { old[$0].id == new[position].id }) {
            kept.append(old[index] == new[position] ? index : nil)
            next = index + 1
            continue
          }
          guard added.count < few,
            added.contains(where: { new[$0].id == new[position].id }) == false,
            old.indices.contains(where: { old[$0].id == new[position].id }) == false
          else { return nil }
          added.append(position)
          kept.append(nil)
        }
        return kept
      }
    }
  }
}

extension Array where Element: Equatable {
  /// The number of equal elements at the start of both arrays, and of those at the end of both that
  /// are not among them. It loops over pointers, as above.
  fileprivate func commonEnds(with other: Self) -> (start: Int, end: Int) {
    self.withUnsafeBufferPointer { old in
      other.withUnsafeBufferPointer { new in
        let count = Swift.min(old.count, new.count)
        var (start, end) = (0, 0)
        while start < count, old[start] == new[start] { start += 1 }
        while end < count - start, old[old.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
        return (start, end)
      }
    }
  }
}

extension Array where Element: Identifiable {
  /// The first element with each id; the same array if no id repeats.
  fileprivate func withoutRepeatedIDs() -> Self {
    var ids = Set<Element.ID>(minimumCapacity: self.count)
    // Usually none repeats, so nothing is copied.
    if self.allSatisfy({ ids.insert($0.id).inserted }) { return self }
    ids.removeAll(keepingCapacity: true)
    return self.filter { ids.insert($0.id).inserted }
  }
}
