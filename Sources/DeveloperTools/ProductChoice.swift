/// A choice of one product, or of all products.
struct ProductChoice: Sendable {
  /// `nil` for all products.
  let product: String?
  let isCurrent: Bool

  var name: String { self.product ?? "All" }

  /// The choices for all products together, and for each single product.
  static func choices(of products: [String], current: String?) -> [Self] {
    ([nil] + products).map { Self(product: $0, isCurrent: $0 == current) }
  }
}
