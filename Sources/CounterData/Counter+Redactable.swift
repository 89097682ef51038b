public import ImmutableData

// A number is nobody's.
extension CounterState: Impersonal {}
extension CounterAction: Impersonal {}
