import ImmutableData
import ImmutableUI

/// One row of the list: eight fields.
struct Product: Codable, Hashable, Identifiable, Sendable {
  let id: String
  let number: Int
  let name: String
  let category: String
  var price: String
  let stock: Int
  let supplier: String
  let country: String
  let status: String

  static func make(_ number: Int) -> Product {
    Product(
      id: "product-\(1_000 + number)",
      number: 1_000 + number,
      name: "Harbour lamp No. \(number % 97) with brass fittings",
      category: ["Lighting", "Garden & yard", "Kitchen"][number % 3],
      price: "1\(number % 10)99.00",
      stock: number * 7 % 120,
      supplier: "Nordlicht Handels GmbH",
      country: ["Germany", "Portugal", "Côte d’Ivoire"][number % 3],
      status: number.isMultiple(of: 4) ? "to be ordered" : "available"
    )
  }
}

struct ProductsState: Codable, Impersonal, Sendable {
  fileprivate var products: [Product]

  init(count: Int) {
    self.products = (0..<count).map(Product.make)
  }

  static func selectProducts() -> @Sendable (Self) -> [Product] {
    { state in state.products }
  }
}

enum ProductsAction: Codable, Impersonal, Sendable {
  case didChangePrice(product: Product.ID, price: String)
}

extension ProductsState: StoreState {
  typealias Action = ProductsAction
}

enum ProductsReducer {
  /// - Complexity: O(n), n products.
  @Sendable static func reduce(state: ProductsState, action: ProductsAction) -> ProductsState {
    switch action {
    case .didChangePrice(let id, let price):
      var state = state
      if let index = state.products.firstIndex(where: { $0.id == id }) {
        state.products[index].price = price
      }
      return state
    }
  }
}
