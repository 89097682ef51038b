import HTMLTemplates
import ImmutableUI

/// Finds the forms that show a refused submission. A page can have several forms with the same name,
/// such as one in each row, or one button in two places.
struct FormSearch {
  private let composition: Composition
  private let refused: RefusedSubmission
  private var count = 0
  /// Whether the hidden values of the form so far are those that were posted.
  private var isAlike = false
  private var found: Set<Int> = []

  private init(_ refused: RefusedSubmission, in composition: Composition) {
    self.refused = refused
    self.composition = composition
  }

  /// - Returns: Which of the forms with its name they are, counted from 1 in the order of the page:
  ///   those with the same hidden values, such as an id. A hidden value may have changed since, such
  ///   as the version of what is edited. So a form that is the only one of its name needs no equal
  ///   values. If there are several, none is better than another one's subject.
  /// - Complexity: O(h), h holes of the page.
  static func forms(
    answering refused: RefusedSubmission,
    in composition: Composition
  ) -> Set<Int> {
    var search = Self(refused, in: composition)
    search.visit(region: Composition.rootName)
    return search.found.isEmpty && search.count == 1 ? [1] : search.found
  }

  private mutating func visit(region name: String) {
    guard let rendered = self.composition.rendered(name) else { return }
    self.visit(rendered.holes, in: rendered.bytes)
  }

  private mutating func visit(_ holes: [HTMLWriter.Hole], in bytes: [UInt8]) {
    for hole in holes {
      switch hole.content {
      case .token(self.refused.form) as PerWindowHole:
        self.count += 1
        self.isAlike = true
      case let field as FieldHole where field.form == self.refused.form:
        guard case .hidden = field.part else { continue }
        var posted = HTMLWriter()
        if let text = self.refused.fields.values(of: field.field).first {
          posted.write(attribute: "value", text)
        }
        let shown = bytes[hole.offset..<hole.offset + field.length]
        self.isAlike = self.isAlike && shown.elementsEqual(posted.bytes)
      case .message(self.refused.form) as PerWindowHole:
        if self.isAlike { self.found.insert(self.count) }
      case let list as RenderedList:
        for row in list.rows { self.visit(row.holes, in: row.bytes) }
      case let nested as NestedRegion:
        self.visit(region: nested.name)
      default:
        break
      }
    }
  }
}
