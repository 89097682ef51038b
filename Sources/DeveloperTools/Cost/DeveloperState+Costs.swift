import Foundation
import ImmutableData
import ImmutableRuntime

extension DeveloperState {
  /// Keeps what a frame cost, with the actions since the frame before.
  ///
  /// - Complexity: O(a + f), a newer actions and f frames.
  mutating func measure(_ cost: FrameCost, at time: Date) {
    guard self.isPaused == false else { return }
    let product = ProductDispatch.productName(of: cost.product)
    // A store that others are parts of is reduced as its parts are.
    let isPart = self.initialStates[product] != nil
    let actions = self.entries(of: isPart ? product : nil).lazy
      .drop { $0.dispatch.version > cost.version }
      .prefix { $0.dispatch.version > cost.since }
      .filter { $0.refusal == nil }
    self.frames.append(cost, at: time, after: Array(actions))
  }

  /// The products that have actions or frames, by name.
  static func selectFrameProducts() -> @Sendable (Self) -> [String] {
    { Set($0.initialStates.keys).union($0.frames.all.map(\.product)).sorted() }
  }

  /// The newest frames of a product, the newest first; `nil`: of all.
  static func selectFrames(of product: String?, limit: Int) -> @Sendable (Self) -> [MeasuredFrame] {
    { Array($0.frames(of: product).reversed().prefix(limit)) }
  }

  /// A frame.
  ///
  /// - Parameters:
  ///   - id: Its number; `nil`: the newest of the product.
  ///   - product: A product's name; `nil`: of all.
  static func selectFrame(_ id: Int?, of product: String?) -> @Sendable (Self) -> MeasuredFrame? {
    { state in
      guard let id else { return state.frames(of: product).last }
      return state.frames.all.first { $0.id == id }
    }
  }

  /// What the frames of a product cost together; `nil`: of all.
  ///
  /// - Complexity: O(n log n), n parts of frames.
  static func selectCostTotals(of product: String?) -> @Sendable (Self) -> CostTotals {
    { CostTotals(of: $0.frames(of: product)) }
  }

  private func frames(of product: String?) -> [MeasuredFrame] {
    product == nil ? self.frames.all : self.frames.all.filter { $0.product == product }
  }
}
