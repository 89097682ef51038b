import HTMLTemplates
import Synchronization
import Testing

@testable import ImmutableUI

/// Counts how often it was hashed.
private final class HashCount: Hashable, Sendable {
  let value = Atomic(0)

  static func == (lhs: HashCount, rhs: HashCount) -> Bool { lhs === rhs }

  func hash(into hasher: inout Hasher) {
    self.value.add(1, ordering: .relaxed)
    hasher.combine(ObjectIdentifier(self))
  }
}

private struct Counted: Presenter, Hashable {
  let count: HashCount

  static let template = Template<Self>(named: "Counted", [])
}

private struct Other: Presenter, Hashable {
  let count: HashCount

  static let template = Template<Self>(named: "Other", [])
}

struct RegionComponentTests {
  @Test func `a region is hashed once, however many tables have it`() {
    let count = HashCount()
    let region = RegionComponent(Counted(count: count))

    let tables = (0..<3).map { [region: $0] }

    #expect(tables.map { $0[region] } == [0, 1, 2])
    #expect(count.value.load(ordering: .relaxed) == 1)
  }

  @Test func `regions are equal if their components are`() {
    let (count, otherCount) = (HashCount(), HashCount())
    let region = RegionComponent(Counted(count: count))

    #expect(region == RegionComponent(Counted(count: count)))
    #expect(region.hashValue == RegionComponent(Counted(count: count)).hashValue)
    #expect(region != RegionComponent(Counted(count: otherCount)))
    #expect(region != RegionComponent(Other(count: count)))
  }
}
