import ImmutableUI

/// The sort order of this window's list, and the minimum magnitude.
struct QuakeScopes: Presenter, Hashable {
  private let sort: QuakeList.Sort
  private let minimum: MinimumMagnitude

  init(_ local: QuakesLocal) {
    self.sort = local.sort
    self.minimum = local.minimumMagnitude
  }

  private var parameters: [Choice] {
    QuakeList.SortParameter.allCases.map { parameter in
      Choice(
        parameter: parameter,
        name: QuakeList.Sort(parameter: parameter, order: self.sort.order).name,
        isCurrent: parameter == self.sort.parameter
      )
    }
  }

  private var reversed: QuakeList.Sort {
    QuakeList.Sort(
      parameter: self.sort.parameter, order: self.sort.order == .forward ? .reverse : .forward)
  }

  static let template = Template<Self>([
    .each("parameters", Choice.slots) { $0.parameters },
    .choices("minimums", \QuakesLocal.minimumMagnitude, label: { $0.name }) { $0.minimum },
    .text("reversed") { "\($0.reversed.name) first" },
    .link("reverse", QuakesLocal.self) { $0.sortOrder = $1.reversed.order },
  ])
}

extension QuakeScopes {
  private struct Choice: Sendable {
    let parameter: QuakeList.SortParameter
    let name: String
    let isCurrent: Bool

    static let slots: Slots<Self> = [
      .text("name") { $0.name },
      .flag("isCurrent") { $0.isCurrent },
      .link("choose", QuakesLocal.self) { $0.sortParameter = $1.parameter },
    ]
  }
}

extension QuakeList.Sort {
  /// Text for people that says what comes first.
  fileprivate var name: String {
    switch (self.parameter, self.order) {
    case (.time, .forward): "Oldest"
    case (.time, .reverse): "Newest"
    case (.magnitude, .forward): "Smallest"
    case (.magnitude, .reverse): "Largest"
    }
  }
}
