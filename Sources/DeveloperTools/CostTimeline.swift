import HTMLTemplates
import ImmutableRuntime
import ImmutableUI

/// The newest frames, each as a bar of its phases.
struct CostTimeline: Presenter, Hashable {
  private static let limit = 60

  @Selected<[MeasuredFrame]> private var frames: [MeasuredFrame]
  private let id: Int?

  init(product: String?, id: Int?) {
    self._frames = Selected(
      id: product, outputSelector: { $0.frames(of: product, limit: Self.limit) })
    self.id = id
  }

  private var rows: [Row] {
    let longest = self.frames.map(\.duration).max() ?? .zero
    let open = self.id ?? self.frames.first?.id
    return self.frames.map { Row(frame: $0, longest: longest, isOpen: $0.id == open) }
  }

  static let template = Template<Self>([
    .flag("isEmpty") { $0.frames.isEmpty },
    .flag("isCut") { $0.frames.count == Self.limit },
    .text("limit") { _ in "\(Self.limit)" },
    .flag("isNewest") { $0.id == nil },
    .link("newest", DeveloperCost.Local.self) { local, _ in local.frame = nil },
    .rows("frames", Self.row) { $0.rows },
  ])

  private static let row: Slots<Row> = [
    .text("version") { "\($0.frame.cost.version)" },
    .text("product") { $0.frame.product },
    .each("actions", Self.action) { Array($0.frame.actions.enumerated()) },
    .text("time") { $0.frame.time.clock },
    .text("duration") { $0.frame.duration.words },
    .flag("isOpen") { $0.isOpen },
    .each("segments", Self.segment) { $0.segments },
    .link(
      "open",
      DeveloperCost.Local.self,
      scrollingTo: { _ in "frame" },
      change: { $0.frame = $1.frame.id }
    ),
  ]

  private static let action: Slots<(offset: Int, element: String)> = [
    .flag("isNext") { $0.offset > 0 },
    .actionName("name") { $0.element },
  ]

  private static let segment: Slots<Segment> = [
    .text("phase") { $0.phase.rawValue },
    .text("start") { $0.start },
    .text("end") { $0.end },
  ]

  private struct Row: Identifiable, Hashable, Sendable {
    let frame: MeasuredFrame
    /// The duration of the longest frame, which has the longest bar.
    let longest: Duration
    let isOpen: Bool

    var id: Int { self.frame.id }

    /// One after another, in the order of the phases.
    var segments: [Segment] {
      var end = Duration.zero
      return FrameCost.Phase.allCases.compactMap { phase in
        let (start, duration) = (end, self.frame.duration(of: phase))
        end += duration
        guard duration > .zero else { return nil }
        return Segment(
          phase: phase, start: start.percentage(of: self.longest),
          end: end.percentage(of: self.longest))
      }
    }
  }

  private struct Segment: Sendable {
    let phase: FrameCost.Phase
    let start: String
    let end: String
  }
}
