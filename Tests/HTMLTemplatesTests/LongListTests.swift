import HTMLTemplates
import Testing

/// A product's list of slots is often this long. With overloads of `.text`, the compiler could not
/// check it in reasonable time.
struct LongListTests {
  struct Auction: Sendable {
    var lot: Lot? = Lot()
    var failure: String?
  }

  struct Lot: Sendable {
    var title = "Violin"
    var seller = "Ann"
    var price = 12
    var least = 13
    var reserve: Int?
    var buyer: Buyer? = Buyer()
    var bids = [10, 12]
  }

  struct Buyer: Sendable {
    var name = "Bob"
    var amount = 12
  }

  static let slots: Slots<Auction> = [
    .optional(
      "lot",
      [
        .text("title") { $0.title },
        .text("upper") { $0.title.uppercased() },
        .text("seller") { $0.seller },
        .text("price") { $0.price },
        .text("cents") { $0.price * 100 },
        .text("least") { $0.least },
        .text("count") { $0.bids.count },
        .flag("hasReserve") { $0.reserve != nil },
        .flag("meetsReserve") { lot in lot.reserve.map { lot.price >= $0 } ?? true },
        .optional("buyer", [.text("name") { $0.name }, .text("amount") { $0.amount }]) { $0.buyer },
        .each("bids", [.text("amount") { $0 }, .text("double") { $0 * 2 }]) { $0.bids.reversed() },
      ]
    ) { $0.lot },
    .optionalText("failure") { $0.failure },
  ]

  @Test func `a long list of slots compiles`() throws {
    let html = try render(
      "{{#lot}}{{title}}: {{price}},{{#bids}} {{amount}}{{/bids}} {{buyer.name}}{{/lot}}",
      Self.slots,
      Auction()
    )

    #expect(html == "Violin: 12, 12 10 Bob")
  }
}
