import HTMLTemplates
import ImmutableUI
import QuakesData

/// Says which part of a long list a window shows, with links to the others; nothing, if there is but one.
///
/// A part is named after its first earthquake. So it stays the same while newer ones come, and the address of a
/// part, and Back, lead to the rows that were there.
struct QuakeParts: Presenter, Hashable {
  @SelectQuakesValues private var quakes: SortedRows<Quake>
  private let firstRow: Quake.ID?
  private let selection: Quake.ID?

  init(
    search: QuakeList.Search,
    sort: QuakeList.Sort,
    from firstRow: Quake.ID?,
    selection: Quake.ID?
  ) {
    self._quakes = SelectQuakesValues(search, sort)
    self.firstRow = firstRow
    self.selection = selection
  }

  private var part: ListPart { ListPart(of: self.quakes, from: self.firstRow) }

  static let template = Template<Self>([
    .flag("isOneOfSeveral") { $0.part.isOneOfSeveral },
    .text("text") { $0.part.text },
    .optional("selected", Self.target) { $0.target($0.startOfSelected) },
    .optional("previous", Self.target) { $0.target($0.part.startOfPrevious) },
    .optional("next", Self.target) { $0.target($0.part.startOfNext) },
  ])

  /// The part that has the selected row, if that is another.
  ///
  /// - Complexity: O(n), n rows, if there are several parts.
  private var startOfSelected: Int? {
    guard self.part.isOneOfSeveral, let selection = self.selection else { return nil }
    return self.quakes.firstIndex { $0.id == selection }.flatMap(self.part.startOfOther(having:))
  }

  private func target(_ start: Int?) -> Target? {
    // The first part is not named: whatever is new is in it.
    start.map { Target(firstRow: $0 > 0 ? self.quakes[$0].id : nil) }
  }

  private struct Target: Sendable {
    let firstRow: Quake.ID?
  }

  private static let target: Slots<Target> = [
    .link("show", QuakesLocal.self) { local, target in local.firstRow = target.firstRow }
  ]
}

extension ListPart {
  /// The part that begins with an earthquake; the first, if the list does not have that.
  ///
  /// - Complexity: O(n), n earthquakes of the list; O(1) for the first part.
  init(of quakes: SortedRows<Quake>, from firstRow: Quake.ID?) {
    let start = firstRow.flatMap { id in quakes.firstIndex { $0.id == id } }
    self.init(from: start ?? 0, of: quakes.count)
  }
}
