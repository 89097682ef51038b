import HTMLTemplates
import ImmutableData
import ImmutableUI
import PlainText

/// The actions of a fork, with links that skip them and move them.
struct ForkSteps: Presenter, Hashable {
  @SelectFork private var fork: Fork?
  private let plan: ForkPlan

  init(_ plan: ForkPlan) {
    self._fork = SelectFork(plan)
    self.plan = plan
  }

  static let template = Template<Self>([
    .flag("isMissing") { $0.fork == nil },
    .flag("isChanged") { $0.plan != ForkPlan(from: $0.plan.from) },
    .link("reset", DeveloperFork.Local.self) { local, steps in
      local.plan = ForkPlan(from: steps.plan.from)
    },
    .flag("isCut") { $0.fork?.steps.count == ForkPlan.limit },
    .text("limit") { _ in "\(ForkPlan.limit)" },
    .rows("steps", Self.row) { $0.rows },
  ])

  private static let row: Slots<Row> = [
    .text("version") { "\($0.step.entry.dispatch.version)" },
    .text("product") { $0.step.entry.product },
    .actionName("action") { $0.step.entry.name },
    .text("payload") { $0.step.entry.payload },
    .text("origin") { $0.step.entry.dispatch.origin?.text ?? "" },
    .text("refusal") { $0.step.refusal?.inOneLine ?? "" },
    .flag("isRefused") { $0.step.refusal != nil },
    .flag("isSkipped") { $0.step.outcome == .skipped },
    .flag("isMoved") { $0.step.isMoved },
    .link("skip", DeveloperFork.Local.self) { $0.plan = $1.toggled },
    .optional("earlier", Self.move) { $0.earlier },
    .optional("later", Self.move) { $0.later },
  ]

  private static let move: Slots<ForkPlan> = [
    .link("open", DeveloperFork.Local.self) { $0.plan = $1 }
  ]

  private struct Row: Identifiable, Hashable, Sendable {
    let step: Fork.Step
    let toggled: ForkPlan
    let earlier: ForkPlan?
    let later: ForkPlan?

    var id: Int { self.step.id }
  }

  /// - Complexity: O(n²), n actions, which are few.
  private var rows: [Row] {
    guard let fork else { return [] }
    let recorded = fork.steps.map(\.id).sorted()
    return fork.steps.enumerated().map { index, step in
      let next = index + 1 < fork.steps.count ? fork.steps[index + 1].id : nil
      return Row(
        step: step,
        toggled: self.plan.toggling(step.id),
        earlier: self.plan.moving(step.id, earlierIn: recorded),
        later: next.flatMap { self.plan.moving($0, earlierIn: recorded) }
      )
    }
  }
}

extension Fork.Step {
  /// Why it was refused in the fork; `nil` if it was accepted.
  fileprivate var refusal: String? {
    if case .refused(let reason) = self.outcome { reason } else { nil }
  }
}
