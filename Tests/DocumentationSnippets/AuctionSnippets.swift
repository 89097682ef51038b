import Foundation
import ImmutableData
import ImmutableUI

// docs/PRODUCTS.md, a field for values of one's own, and *Time*.

enum AuctionFields {
  struct Price: Sendable, LosslessStringConvertible {
    let cents: Int

    init?(_ description: String) {
      guard let price = Decimal(string: description) else { return nil }
      self.cents = NSDecimalNumber(decimal: price * 100).intValue
    }

    var description: String { "\(Decimal(self.cents) / 100)" }
  }

  static let price = Field<Price>.text("price", required: "Enter a price.", get: \.description) {
    guard let price = Price($0) else {
      throw Refusal(field: "price", "Enter a price such as 12.50.")
    }
    return price
  }
}

struct AuctionState: Sendable {
  struct Lot: Sendable {
    let closes: Date
    var isOpen = true
  }

  var lots: [Lot] = []
}

enum AuctionAction: Sendable {
  case didReach(Date)
}

@MainActor final class AuctionListener: EffectListener<AuctionState, AuctionAction> {
  init(lanes: EffectLanes) {
    super.init(
      lanes: lanes,
      label: "Auctions",
      outside: [
        OutsideEvents("auctions.clock", on: Schedule(every: .seconds(1))) { following in
          let now = Date.now
          let isDue = await following.store.select { state in
            state.lots.contains { $0.isOpen && $0.closes <= now }
          }
          if isDue { try await following.store.dispatch(action: .didReach(now)) }
        }
      ]
    )
  }
}

// docs/PRODUCTS.md, an effect that is cancelled.

struct PriceState: Sendable {
  var status = OperationStatus.empty
}

enum PriceAction: Sendable {
  case onTapCancelButton
  case didFail(reason: String)
}

@MainActor final class PriceListener: EffectListener<PriceState, PriceAction> {
  override func effects(
    _ oldState: PriceState, _ newState: () -> PriceState, _ action: PriceAction
  ) -> [Effect] {
    switch action {
    case .onTapCancelButton:
      self.cancel("shop.price")  // the name of the effect
      return []
    case .didFail:
      return []
    }
  }
}

enum PriceReducer {
  @Sendable static func reduce(state: PriceState, action: PriceAction) -> PriceState {
    var state = state
    switch action {
    case .onTapCancelButton:
      state.status = .empty
    case .didFail(let reason):
      guard state.status == .waiting else { return state }  // it was cancelled
      state.status = .failure(error: reason)
    }
    return state
  }
}
