import ImmutableData
import ImmutableUI

/// Selects the names of the products that have actions or frames.
@propertyWrapper struct SelectFrameProducts: Hashable, Sendable {
  @ImmutableUI.Selector(outputSelector: { (state: DeveloperState) in state.frameProducts })
  var wrappedValue: [String]

  init() {}
}

/// Selects the newest frames of a product.
@propertyWrapper struct SelectFrames: Hashable, Sendable {
  @ImmutableUI.Selector<DeveloperState.Store, [MeasuredFrame]> var wrappedValue: [MeasuredFrame]

  init(of product: String?, limit: Int) {
    self._wrappedValue = ImmutableUI.Selector(
      id: product,
      outputSelector: { (state: DeveloperState) in state.frames(of: product, limit: limit) }
    )
  }
}

/// Selects one frame.
@propertyWrapper struct SelectFrame: Hashable, Sendable {
  @ImmutableUI.Selector<DeveloperState.Store, MeasuredFrame?> var wrappedValue: MeasuredFrame?

  init(_ id: Int?, of product: String?) {
    self._wrappedValue = ImmutableUI.Selector(
      id: [id.map { "\($0)" } ?? "", product ?? ""],
      outputSelector: { (state: DeveloperState) in state.frame(id, of: product) }
    )
  }
}

/// Selects the total cost of the frames of a product.
@propertyWrapper struct SelectCostTotals: Hashable, Sendable {
  @ImmutableUI.Selector<DeveloperState.Store, CostTotals> var wrappedValue: CostTotals

  init(of product: String?) {
    self._wrappedValue = ImmutableUI.Selector(
      id: product,
      outputSelector: { (state: DeveloperState) in state.costTotals(of: product) }
    )
  }
}
