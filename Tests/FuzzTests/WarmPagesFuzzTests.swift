import Foundation
import TestSupport
import Testing

/// A server that has been running for a while shows what one that has just started would show.
struct WarmPagesFuzzTests {
  private enum Kind: String, CaseIterable, CustomTestStringConvertible {
    case counter, fixture, stock, animals, quakes

    var testDescription: String { self.rawValue }

    var subject: WarmPages.Subject {
      switch self {
      case .counter: .counter
      case .fixture: .fixture
      case .stock: .stock
      case .animals: .animals
      case .quakes: .quakes
      }
    }

    /// The templates of the products take long to compile, and each server without memory does.
    var few: Int { [.stock, .fixture].contains(self) ? 8 : 3 }
  }

  @Test(arguments: Kind.allCases)
  private func `a server shows what it would show after a restart`(_ kind: Kind) async throws {
    var sum = WarmPages.Coverage()
    try await Fuzzing.run(
      "warm pages of \(kind.rawValue)", few: kind.few, cost: 4_000, isWatched: false
    ) { generator in
      var pages = try await WarmPages(kind.subject, using: &generator)
      try await pages.run(steps: 60, using: &generator)
      let coverage = pages.coverage
      sum.pages += coverage.pages
      sum.changedPages += coverage.changedPages
      sum.windows += coverage.windows
      sum.patchedWindows += coverage.patchedWindows
      sum.pastPages += coverage.pastPages
      sum.caughtUp += coverage.caughtUp
      sum.memoHits += coverage.memoHits
      sum.filterRefusals += coverage.filterRefusals
    }
    // With so many, each way of being out of date has had its chance.
    guard kind == .stock, sum.pages > 100 else { return }
    #expect(sum.changedPages > 10 && sum.pastPages > 10 && sum.caughtUp > 0, "\(sum)")
    #expect(sum.patchedWindows > 10 && sum.memoHits > 0 && sum.filterRefusals > 0, "\(sum)")
  }
}
