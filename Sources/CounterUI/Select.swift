import CounterData
import ImmutableUI

/// Selects the value.
///
/// Source: the guide, chapter CounterUI, section Select.
@propertyWrapper struct SelectValue: Hashable, Sendable {
  @ImmutableUI.Selector(
    label: "SelectValue",
    outputSelector: CounterState.selectValue()
  ) var wrappedValue: Int

  init() {}
}
