import ImmutableUI

@propertyWrapper struct SelectTicks: Hashable, Sendable {
  @ImmutableUI.Selector(label: "SelectTicks", outputSelector: FixtureState.selectTicks())
  var wrappedValue: Int

  init() {}
}

@propertyWrapper struct SelectCards: Hashable, Sendable {
  @ImmutableUI.Selector(label: "SelectCards", outputSelector: FixtureState.selectCards())
  var wrappedValue: [Card]

  init() {}
}

@propertyWrapper struct SelectGuests: Hashable, Sendable {
  @ImmutableUI.Selector(label: "SelectGuests", outputSelector: FixtureState.selectGuests())
  var wrappedValue: [Guest]

  init() {}
}

@propertyWrapper struct SelectSongs: Hashable, Sendable {
  @ImmutableUI.Selector(label: "SelectSongs", outputSelector: FixtureState.selectSongs())
  var wrappedValue: [Song]

  init() {}
}

@propertyWrapper struct SelectItemsValues: Hashable, Sendable {
  @ImmutableUI.Selector<FixtureState.Store, [Item], [Item]> var wrappedValue: [Item]

  init(search: String, order: Order) {
    self._wrappedValue = ImmutableUI.Selector(
      id: [search, order.rawValue],
      label: "SelectItemsValues(search: \(search), order: \(order))",
      filter: FixtureState.filterItems(),
      dependencySelector: FixtureState.selectItems(),
      outputSelector: FixtureState.selectItemsValues(search: search, order: order)
    )
  }
}

@propertyWrapper struct SelectItem: Hashable, Sendable {
  @ImmutableUI.Selector<FixtureState.Store, Item?> var wrappedValue: Item?

  init(id: String?) {
    self._wrappedValue = ImmutableUI.Selector(
      id: id,
      label: "SelectItem(id: \(id ?? "nil"))",
      outputSelector: FixtureState.selectItem(id: id)
    )
  }
}
