/// A product to choose, or all of them.
struct ProductChoice: Sendable {
  /// `nil`: all.
  let product: String?
  let isCurrent: Bool

  var name: String { self.product ?? "All" }

  /// All, and each of some products.
  static func choices(of products: [String], current: String?) -> [Self] {
    ([nil] + products).map { Self(product: $0, isCurrent: $0 == current) }
  }
}
