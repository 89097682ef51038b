import HTMLTemplates
import ImmutableUI

/// A form for a product and one of its actions, as JSON.
struct DispatchForm: Presenter, Hashable {
  @Selected(outputSelector: \.products) private var products: [String]
  @Selected(outputSelector: \.dispatchFailure) private var failure: String?
  @Selected<Entry?> private var entry: Entry?
  private let example: Int?

  /// - Parameter example: The number of the entry whose action it starts with.
  init(example: Int?) {
    self._entry = Selected(id: example, outputSelector: DeveloperState.selectEntry(example))
    self.example = example
  }

  static let template = Template<Self>([
    .text("example") { $0.example.map { "\($0)" } ?? "none" },
    .optionalText("failure") { $0.failure },
    .form("dispatch", Self.onTapDispatchButton),
    .field("product", Self.product, options: { $0.products.map { FieldOption($0, $0) } }) {
      $0.entry?.product
    },
    .field("json", Self.json) { $0.entry?.json },
  ])

  static let product = Field<String>.choice(
    "product", prompt: "Select a product", "Select a product.")
  static let json = Field.textarea("json", required: "Enter an action as JSON.", limit: 20_000)

  private static let onTapDispatchButton = Form<DeveloperAction>(
    "dispatch", .repeatable, fields: .submission, Self.product, Self.json
  ) {
    .ui(.onTapDispatchButton(id: $0, product: $1, json: $2))
  }
}
