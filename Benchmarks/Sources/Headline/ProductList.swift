import HTMLTemplates
import ImmutableUI

@propertyWrapper private struct SelectProducts: Hashable, Sendable {
  @ImmutableUI.Selector(
    label: "SelectProducts",
    outputSelector: ProductsState.selectProducts()
  ) var wrappedValue: [Product]

  init() {}
}

/// All products, and a form that changes the price of one.
struct ProductList: Root {
  typealias State = ProductsState

  @SelectProducts private var products

  init(_ local: NoLocalState = NoLocalState()) {}

  var body: some Component {
    Presenter(products: self.products)
  }

  static func page(at path: String) -> Page<Self> {
    Page(Self.self, at: path, title: "Products")
  }

  static let product = Field.text("product", required: "Enter a product.")
  static let price = Field.text("price", required: "Enter a price.")

  static let didChangePrice = Form<ProductsAction>(
    "change",
    fields: Self.product, Self.price
  ) {
    .didChangePrice(product: $0, price: $1)
  }

  static let slots: Slots<Product> = [
    .text("number") { $0.number },
    .text("name") { $0.name },
    .text("category") { $0.category },
    .text("price") { $0.price },
    .text("stock") { $0.stock },
    .text("supplier") { $0.supplier },
    .text("country") { $0.country },
    .text("status") { $0.status },
  ]

  private struct Presenter: ImmutableUI.Presenter {
    let products: [Product]

    static let template = Template<Self>([
      .form("change", ProductList.didChangePrice),
      .field("product", ProductList.product),
      .field("price", ProductList.price),
      .rows("products", ProductList.slots) { $0.products },
    ])
  }
}
