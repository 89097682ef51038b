import HTMLTemplates
import ImmutableUI
import PlainText

/// A part of a state, with links to the parts inside and around it.
struct StatePartList: Presenter, Hashable {
  @ImmutableUI.Selector<DeveloperState.Store, [DeveloperState.Basis], StatePart>
  private var part: StatePart
  private let product: String
  private let path: Path

  init(product: String, id: Int?, path: Path, start: Int) {
    self._part = ImmutableUI.Selector(
      id: [product, id?.description, path.description, start.description],
      // A large table takes a while.
      dependencySelector: DeveloperState.selectBasis(of: product, after: [id]),
      outputSelector: { StatePart(of: product, after: id, at: path, from: start, in: $0) })
    self.product = product
    self.path = path
  }

  private var end: Int { min(self.part.start + StatePart.limit, self.part.count) }

  /// The parts around this one, outermost first.
  private var crumbs: [Crumb] {
    (0...self.path.labels.count).map { count in
      var path = Path()
      path.labels = Array(self.path.labels.prefix(count))
      return Crumb(label: path.labels.last ?? self.product, path: path)
    }
  }

  static let template = Template<Self>([
    .each(
      "crumbs",
      [
        .text("label") { $0.label.inOneLine },
        .link("open", DeveloperStates.Local.self) { $0.path = $1.path },
      ]
    ) { $0.crumbs },
    .flag("isMissing") { $0.part.isFound == false },
    .text("type") { $0.part.type },
    .text("summary") { $0.part.summary },
    .each(
      "parts",
      [
        .text("label") { $0.label.inOneLine },
        .text("type") { $0.type },
        .text("summary") { $0.summary },
        .optional(
          "inner",
          [
            .link("open", DeveloperStates.Local.self) { $0.path = $1 },
            .text("name") { $0.labels.last?.inOneLine ?? "" },
          ]
        ) { $0.path },
      ]
    ) { $0.part.rows },
    .flag("isCut") { $0.part.count > StatePart.limit },
    .text("first") { $0.part.start + 1 },
    .text("last") { $0.end },
    .text("count") { $0.part.count },
    .optional(
      "previous", [.link("open", DeveloperStates.Local.self) { $0.from = $1 }]
    ) { $0.part.start > 0 ? max(0, $0.part.start - StatePart.limit) : nil },
    .optional(
      "next", [.link("open", DeveloperStates.Local.self) { $0.from = $1 }]
    ) { $0.end < $0.part.count ? $0.part.start + StatePart.limit : nil },
  ])

  private struct Crumb: Sendable {
    let label: String
    let path: Path
  }
}
