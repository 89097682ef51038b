import ImmutableData
import Testing

@testable import ImmutableUI

private struct Pair: Sendable {
  var left = 1
  var right = "one"
}

/// A store that records what it is asked for, by the type of what is selected.
@MainActor private final class RecordingStore: ImmutableData.Selector {
  typealias State = Pair

  var pair = Pair()
  private(set) var selected: [String] = []

  func select<T>(_ selector: @Sendable (Pair) -> T) -> T where T: Sendable {
    self.selected.append("\(T.self)")
    return selector(self.pair)
  }

  func takeSelected() -> [String] {
    defer { self.selected = [] }
    return self.selected
  }
}

@MainActor struct AsyncListenerTests {
  private let store = RecordingStore()

  private let output = OutputSelector<Pair, [String]> { ["\($0.left)", $0.right] }

  @Test func `a store is read once for each dependency and then for the output`() {
    let listener = AsyncListener<Pair, Never, Int, String, [String]>(
      dependencySelector: DependencySelector { $0.left }, DependencySelector { $0.right },
      outputSelector: self.output
    )

    listener.update(with: self.store)

    #expect(self.store.takeSelected() == ["Int", "String", "Array<String>"])
    #expect(listener.output == ["1", "one"])
  }

  @Test func `a store is not read for the output while no dependency changes`() {
    let listener = AsyncListener<Pair, Never, Int, [String]>(
      dependencySelector: DependencySelector { $0.left },
      outputSelector: self.output
    )
    listener.update(with: self.store)
    _ = self.store.takeSelected()

    self.store.pair.right = "two"
    listener.update(with: self.store)

    #expect(self.store.takeSelected() == ["Int"])
    #expect(listener.output == ["1", "one"])
  }

  @Test func `without dependencies a store is read once for the output`() {
    let listener = AsyncListener<Pair, Never, [String]>(outputSelector: self.output)

    listener.update(with: self.store)
    self.store.pair.right = "two"
    listener.update(with: self.store)

    #expect(self.store.takeSelected() == ["Array<String>", "Array<String>"])
    #expect(listener.output == ["1", "two"])
  }
}
