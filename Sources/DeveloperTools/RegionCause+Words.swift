import HTMLTemplates
import ImmutableRuntime
import ImmutableUI

extension RegionCause {
  /// For a person.
  var words: String {
    let change =
      switch self.change {
      case .appeared: "was not there before"
      case .changed: "shows something else"
      case .disappeared: "is gone"
      case .none: "shows the same"
      }
    let cost = self.duration.map { "rendered in \($0.words), " } ?? ""
    return "\(cost)\(self.bytes) bytes, \(change)"
  }
}

extension SelectorCause.Outcome {
  fileprivate var hasRun: Bool {
    switch self {
    case .refused, .sameDependencies: false
    case .sameOutput, .changed, .appeared: true
    }
  }

  fileprivate var words: String {
    switch self {
    case .refused: "did not run: its filter refused the action, or its rows are the same"
    case .sameDependencies: "did not run: what it depends on is the same"
    case .sameOutput: "ran, with the same output"
    case .changed: "has another output"
    case .appeared: "ran: the region was not there before"
    }
  }
}

extension String {
  /// The position of a selector, if it says more than its label: without a label of its own, the position
  /// is its label.
  func unlessLabel(_ label: String?) -> String? { self == label ? nil : self }
}

extension SelectorCause {
  static let slots: Slots<Self> = [
    .text("label") { $0.label ?? "a selector without a label" },
    .optionalText("position") { $0.position.unlessLabel($0.label) },
    .text("outcome") { $0.outcome.words },
    .text("time") { "\($0.outcome.hasRun ? "in" : "checked in") \($0.duration.words)" },
    .optionalText("rows") { $0.rows?.words },
    .flag("isChanged") { $0.outcome == .changed },
  ]
}
