import ImmutableUI

// docs/PRODUCTS.md, *Selectors that cost something*.

struct ClubState: StoreState {
  typealias Action = ClubAction

  var members: [String] = []
  var expenses: [Expense] = []

  struct Expense: Hashable, Sendable {
    let payer: String
    let cents: Int
  }

  func balances() -> [Balance] {
    self.members.map { member in
      let paid = self.expenses.filter { $0.payer == member }.map(\.cents).reduce(0, +)
      return Balance(id: member, cents: paid)
    }
  }
}

enum ClubAction: Sendable {
  case onTapAddButton(ClubState.Expense)
}

struct Balance: Hashable, Identifiable, Sendable {
  let id: String
  let cents: Int
}

@propertyWrapper struct SelectBalances: Hashable, Sendable {
  @Selector(
    dependencySelector: \.members, \.expenses,
    outputSelector: { (state: ClubState) in state.balances() }
  ) var wrappedValue: [Balance]

  init() {}
}

@propertyWrapper struct SelectExpenseCount: Hashable, Sendable {
  @Selector(
    dependencySelector: { @Sendable (state: ClubState) in state.expenses.count },
    outputSelector: { (state: ClubState) in state.expenses.count }
  ) var wrappedValue: Int

  init() {}
}
