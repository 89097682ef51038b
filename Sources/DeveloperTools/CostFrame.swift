import HTMLTemplates
import ImmutableRuntime
import ImmutableUI

/// One frame: a flame graph, and a table of the same numbers.
struct CostFrame: Presenter, Hashable {
  /// The height of a row of boxes, in pixels.
  private static let rowHeight = 34

  @Selected<MeasuredFrame?> private var frame: MeasuredFrame?
  private let id: Int?

  init(product: String?, id: Int?) {
    self._frame = Selected(
      id: [id?.description, product], outputSelector: { $0.frame(id, of: product) })
    self.id = id
  }

  static let template = Template<Self>([
    .flag("isGone") { $0.id != nil },
    .optional("frame", Self.slots) { $0.frame },
  ])

  private static let slots: Slots<MeasuredFrame> = [
    .text("product") { $0.product },
    .text("version") { "\($0.cost.version)" },
    .text("time") { $0.time.clock },
    .text("duration") { $0.duration.words },
    .text("places") { $0.cost.places.counting("place", "places") },
    .text("bytes") { "\($0.cost.bytes)" },
    .nested("flame", Self.flame) { Flame(boxes: CostTree($0).boxes(), whole: $0.duration) },
    .each("parts", Self.part) { frame in frame.longestParts.map { Part(part: $0, frame: frame) } },
    .text("rest") { $0.rest.words },
    .text("restShare") { $0.rest.share(of: $0.duration) },
  ]

  private static let flame: Slots<Flame> = [
    .text("height") { "\((($0.boxes.map(\.depth).max() ?? 0) + 1) * Self.rowHeight)" },
    .each("boxes", Self.box) { flame in flame.boxes.map { Box(box: $0, whole: flame.whole) } },
  ]

  private static let box: Slots<Box> = [
    .text("start") { $0.box.start.percentage(of: $0.whole) },
    .text("width") { $0.box.duration.percentage(of: $0.whole) },
    .text("top") { "\($0.box.depth * Self.rowHeight)" },
    .text("label") { $0.box.label },
    .text("duration") { $0.box.duration.words },
    .optionalText("phase") { $0.box.phase?.rawValue },
  ]

  private static let part: Slots<Part> = [
    .text("phase") { $0.part.subject.phase.rawValue },
    .text("words") { $0.part.subject.words },
    .optionalText("place") { $0.part.subject.place },
    .optionalText("position") { $0.part.subject.position?.unlessLabel($0.part.subject.name) },
    .optional(
      "action",
      [
        .actionName("name") { $0.part.subject.words },
        .link("log", to: DeveloperLog.page()) { local, part in
          local.product = part.frame.product
          local.action = part.part.subject.name
        },
      ]
    ) { $0.part.subject.phase == .reduce ? $0 : nil },
    .optionalText("rows") { $0.part.rows?.words },
    .flag("isRepeated") { $0.part.runs > 1 },
    .text("runs") { "\($0.part.runs)" },
    .text("duration") { $0.part.duration.words },
    .text("share") { $0.part.duration.share(of: $0.frame.duration) },
  ]

  private struct Flame: Sendable {
    let boxes: [CostTree.Box]
    let whole: Duration
  }

  private struct Box: Sendable {
    let box: CostTree.Box
    let whole: Duration
  }

  private struct Part: Sendable {
    let part: FrameCost.Part
    let frame: MeasuredFrame
  }
}
