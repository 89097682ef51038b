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
  static func selectFrameProducts() -> @Sendable (Self) -> [String] {
    { Set($0.presents.keys).union($0.frames.all.map(\.product)).sorted() }
  }

  /// The newest frames of a product, newest first; `nil` for all products.
  static func selectFrames(of product: String?, limit: Int) -> @Sendable (Self) -> [MeasuredFrame] {
    { Array($0.frames(of: product).reversed().prefix(limit)) }
  }

  /// A frame.
  ///
  /// - Parameters:
  ///   - id: Its number; `nil` for the newest frame of the product.
  ///   - product: A product's name; `nil` for all products.
  static func selectFrame(_ id: Int?, of product: String?) -> @Sendable (Self) -> MeasuredFrame? {
    { state in
      guard let id else { return state.frames(of: product).last }
      return state.frames.all.first { $0.id == id }
    }
  }

  /// The total cost of the frames of a product; `nil` for all products.
  ///
  /// - Complexity: O(n log n), n parts of frames.
  static func selectCostTotals(of product: String?) -> @Sendable (Self) -> CostTotals {
    { CostTotals(of: $0.frames(of: product)) }
  }

  private func frames(of product: String?) -> [MeasuredFrame] {
    product == nil ? self.frames.all : self.frames.all.filter { $0.product == product }
  }
}
