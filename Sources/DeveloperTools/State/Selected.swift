import ImmutableUI

/// Selects a value from the state of the developer pages.
///
/// Components use it directly, because hardly any value is selected by more than one of them. Values
/// that have dependencies use `ImmutableUI.Selector`.
typealias Selected<Output: Sendable> = ImmutableUI.Selector<DeveloperState.Store, Output>
