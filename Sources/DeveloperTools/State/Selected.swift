import ImmutableUI

/// Selects from the state of the developer pages: what a component shows, said where it shows it.
typealias Selected<Output: Sendable> = ImmutableUI.Selector<DeveloperState.Store, Output>
