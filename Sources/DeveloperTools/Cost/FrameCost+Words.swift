import ImmutableRuntime
import ImmutableUI

extension FrameCost.Subject {
  /// Its path in the flame graph, below the product.
  var path: [String] {
    let page = self.page ?? "several pages"
    let region = self.region ?? "several regions"
    return switch self.phase {
    case .reduce: ["reducer", self.name ?? "an action"]
    case .select: [page, region, "select \(self.selector)"]
    case .render, .difference: [page, region, self.phase.rawValue]
    case .write: [self.page ?? "all streams", self.phase.rawValue]
    }
  }

  /// A text for people that says what the work was done with.
  var words: String {
    switch self.phase {
    case .reduce: self.name ?? "an action"
    case .select: self.selector
    case .render: self.name ?? ""
    case .difference: ""
    case .write: self.page.map { "events for \($0)" } ?? "to all streams"
    }
  }

  /// A text for people that says for which part of which page it was done.
  var place: String? {
    switch self.phase {
    case .reduce, .write: nil
    case .select, .render, .difference:
      "\(self.region ?? "several regions") of \(self.page ?? "several pages")"
    }
  }

  private var selector: String { self.name ?? "a selector without a label" }
}

extension FrameTimes.RowCounts {
  /// A text for people.
  var words: String { "rows looked at: \(self.looked), changed: \(self.changed)" }
}

extension Duration {
  /// A text for people: in microseconds below a millisecond, and with tenths below 100 of its unit.
  var words: String {
    let isShort = self < .milliseconds(1)
    let count = self / (isShort ? .microseconds(1) : .milliseconds(1))
    let number = count < 99.95 ? "\((count * 10).rounded() / 10)" : "\(Int(count))"
    return "\(number) \(isShort ? "µs" : "ms")"
  }

  /// Its share of another duration, in percent, as a text for people.
  func share(of other: Duration) -> String {
    guard self > .zero, other > .zero else { return "0%" }
    let percent = Int((self / other * 100).rounded())
    return percent == 0 ? "< 1%" : "\(percent)%"
  }

  /// Its share of another duration, in percent, in SVG's format.
  func percentage(of other: Duration) -> String {
    guard other > .zero else { return "0%" }
    return "\((self / other * 10_000).rounded() / 100)%"
  }
}
