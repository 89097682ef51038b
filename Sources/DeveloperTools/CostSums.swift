import HTMLTemplates
import ImmutableRuntime
import ImmutableUI

/// The total cost of the frames that are kept.
struct CostSums: Presenter, Hashable {
  private static let limit = 100

  @Selected<CostTotals> private var totals: CostTotals

  init(product: String?) {
    self._totals = Selected(id: product, outputSelector: { $0.costTotals(of: product) })
  }

  static let template = Template<Self>([
    .text("count") { "\($0.totals.frameCount)" },
    .text("limit") { _ in "\(MeasuredFrame.countLimit)" },
    .text("duration") { $0.totals.duration.words },
    .flag("hasFrames") { $0.totals.frameCount > 0 },
    .each("phases", Self.phase) { component in
      FrameCost.Phase.allCases.map { Phase(phase: $0, totals: component.totals) }
    },
    .each("selectors", Self.selector) { Array($0.totals.selectors.prefix(Self.limit)) },
    .each("regions", Self.region) { Array($0.totals.regions.prefix(Self.limit)) },
  ])

  private static let phase: Slots<Phase> = [
    .text("name") { $0.phase.rawValue },
    .text("duration") { $0.duration.words },
    .text("share") { $0.duration.share(of: $0.totals.duration) },
  ]

  private static let selector: Slots<CostTotals.Sum> = [
    .text("name") { $0.work.subject.name ?? "a selector without a label" },
    .text("product") { $0.product },
    .optionalText("position") { $0.work.subject.position?.unlessLabel($0.work.subject.name) },
    .text("runs") { "\($0.work.runs)" },
    .text("changes") { "\($0.work.changes)" },
    .optionalText("rows") { $0.work.rows?.words },
    .text("duration") { $0.work.duration.words },
  ]

  private static let region: Slots<CostTotals.Sum> = [
    .text("place") { $0.work.subject.place ?? "" },
    .text("product") { $0.product },
    .text("renders") { "\($0.work.runs)" },
    .text("duration") { $0.work.duration.words },
  ]

  private struct Phase: Sendable {
    let phase: FrameCost.Phase
    let totals: CostTotals

    var duration: Duration { self.totals.phases[self.phase] ?? .zero }
  }
}
