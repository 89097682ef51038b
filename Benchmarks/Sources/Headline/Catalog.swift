import HTMLTemplates
import ImmutableData
import ImmutableUI

/// Products in a table, of which a page shows a part.
struct CatalogState: StoreState {
  typealias Action = ProductsAction

  fileprivate var products: Table<Product>

  init(count: Int) {
    self.products = Table()
    self.products.insert((0..<count).map(Product.make))
  }

  /// - Complexity: O(log n), n products.
  @Sendable static func reduce(state: Self, action: ProductsAction) -> Self {
    var state = state
    switch action {
    case .didChangePrice(let id, let price): state.products[id]?.price = price
    }
    return state
  }
}

/// The part of the catalog that a window shows.
struct CatalogLocal: LocalState {
  var from = 0
  var size = ListPart.defaultSize

  static let parameters: [Parameter<Self>] = [
    Parameter("from", \.from), Parameter("size", \.size),
  ]
}

/// A part of all products, and a form that changes the price of one.
struct Catalog: Root {
  typealias State = CatalogState

  @TableSelector<Store<CatalogState, ProductsAction>, SortedRows<Product>>
  private var products: SortedRows<Product>
  private let local: CatalogLocal

  init(_ local: CatalogLocal) {
    self.local = local
    self._products = TableSelector(
      from: \.products, into: SortedRows(by: RowOrder(\.number)))
  }

  var body: some Component {
    Presenter(products: self.products, local: self.local)
  }

  private struct Presenter: ImmutableUI.Presenter {
    let products: SortedRows<Product>
    let local: CatalogLocal

    private var rows: ListRows<Product, Product> {
      let start = ListPart.Start(id: "", index: self.local.from)
      let part = ListPart(of: self.products, from: start, at: nil, size: self.local.size)
      return ListRows(part, of: self.products) { $0.source }
    }

    static let template = Template<Self>(
      named: "Headline/ProductList",
      [
        .form("change", ProductList.didChangePrice),
        .field("product", ProductList.product),
        .field("price", ProductList.price),
        .rows("products", ProductList.slots) { $0.rows },
      ])
  }
}
