import ImmutableData

// docs/PRODUCTS.md, *A call that is slow and can fail*.

struct Payment: Hashable, Identifiable, Sendable {
  let id: String
  let cents: Int
}

protocol Bank: Sendable {
  /// Pays once, however often it is called with the same payment.
  func send(_ payment: Payment) async throws
}

struct PaymentState: Sendable {
  var payments: [Payment] = []
  var statuses: [Payment.ID: OperationStatus] = [:]
}

enum PaymentAction: Sendable {
  case onTapPayButton(Payment)
  case didPay(Payment)
  case didFail(Payment.ID, reason: String)
}

enum PaymentReducer {
  @Sendable static func reduce(state: PaymentState, action: PaymentAction) -> PaymentState {
    var state = state
    switch action {
    case .onTapPayButton(let payment):
      state.payments.append(payment)
      state.statuses[payment.id] = .waiting
    case .didFail(let id, let reason):
      guard state.statuses[id] == .waiting else { return state }
      state.payments.removeAll { $0.id == id }
      state.statuses[id] = .failure(error: reason)
    case .didPay(let payment):
      // It may have been given up, and taken back.
      if state.payments.contains(payment) == false { state.payments.append(payment) }
      state.statuses[payment.id] = .success
    }
    return state
  }
}

@MainActor final class PaymentListener: EffectListener<PaymentState, PaymentAction> {
  private let bank: any Bank
  private let operations = Operations<Payment.ID> { _ in "The bank could not be reached." }

  init(bank: any Bank, lanes: EffectLanes) {
    self.bank = bank
    super.init(lanes: lanes, label: "Payments")
  }

  override func effects(
    _ oldState: PaymentState, _ newState: () -> PaymentState, _ action: PaymentAction
  ) -> [Effect] {
    guard case .onTapPayButton(let payment) = action else { return [] }
    let bank = self.bank
    let thunk: Effect.Thunk = self.operations.mutation(
      changing: [payment.id],
      retry: Retry(attempts: 3, pause: .seconds(1))
    ) { _ in
      try await bank.send(payment)
    } actions: { result in
      switch result {
      case .success: [.didPay(payment)]
      case .failure(let failure): [.didFail(payment.id, reason: failure.reason)]
      }
    }
    return [Effect("payments.\(payment.id)", thunk)]
  }
}
