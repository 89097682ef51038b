import Foundation
import ImmutableData
import ImmutableRuntime

extension DeveloperState {
  /// Keeps the cost of a frame, with the actions since the previous frame.
  ///
  /// - Complexity: O(a + f), a newer actions, f frames.
  mutating func measure(_ cost: FrameCost, at time: Date) {
    let product = ProductDispatch.productName(of: cost.product)
    // The actions of a root store are the actions of all its parts.
    let isPart = self.presents[product] != nil
    let actions = self.entries(of: isPart ? product : nil).lazy
      .drop { $0.dispatch.version > cost.version }
      .prefix { $0.dispatch.version > cost.since }
      .filter { $0.refusal == nil }
    let shown = Array(actions)
    self.frames.append { MeasuredFrame(id: $0, time: time, cost, after: shown) }
  }

  /// The products that have actions or frames, by name.
  var frameProducts: [String] {
    Set(self.presents.keys).union(self.frames.all.map(\.product)).sorted()
  }

  /// The newest frames of a product, newest first; `nil` for all products.
  func frames(of product: String?, limit: Int) -> [MeasuredFrame] {
    Array(self.frames(of: product).reversed().prefix(limit))
  }

  /// A frame.
  ///
  /// - Parameters:
  ///   - id: Its number; `nil` for the newest frame of the product.
  ///   - product: A product's name; `nil` for all products.
  func frame(_ id: Int?, of product: String?) -> MeasuredFrame? {
    guard let id else { return self.frames(of: product).last }
    return self.frames.all.first { $0.id == id }
  }

  /// The total cost of the frames of a product; `nil` for all products.
  ///
  /// - Complexity: O(n log n), n parts of frames.
  func costTotals(of product: String?) -> CostTotals {
    CostTotals(of: self.frames(of: product))
  }

  private func frames(of product: String?) -> [MeasuredFrame] {
    product == nil ? self.frames.all : self.frames.all.filter { $0.product == product }
  }
}
