import Synchronization

/// Asks products what they hold, without having to wait for them.
///
/// A product answers between frames and pages. One that is stuck in a frame never does, and that is
/// when its metrics matter most.
final class ProductSurvey: Sendable {
  private struct Contents {
    /// The newest answer of each product.
    var sizes: [ProductSize]
    /// The products that have not answered yet. A product is asked only once at a time, so that
    /// questions do not pile up.
    var asked: Set<Int> = []
  }

  private let products: [any AnyProduct]
  private let contents: Mutex<Contents>

  init(of products: [any AnyProduct]) {
    self.products = products
    self.contents = Mutex(Contents(sizes: products.map { _ in ProductSize() }))
  }

  /// What each product said when it last answered.
  var sizes: [ProductSize] { self.contents.withLock { $0.sizes } }

  /// Asks all products.
  ///
  /// - Returns: The names of those that have not answered within a time.
  func ask(within limit: Duration) async -> [String] {
    for index in self.products.indices { self.ask(index) }
    let deadline = ContinuousClock.now + limit
    while self.busy.isEmpty == false, .now < deadline, Task.isCancelled == false {
      try? await Task.sleep(for: .milliseconds(1))
    }
    return self.busy.map { self.products[$0].name }
  }

  private var busy: Set<Int> { self.contents.withLock { $0.asked } }

  private func ask(_ index: Int) {
    guard self.contents.withLock({ $0.asked.insert(index).inserted }) else { return }
    Task {
      let size = await self.products[index].size
      self.contents.withLock { contents in
        contents.sizes[index] = size
        contents.asked.remove(index)
      }
    }
  }
}
