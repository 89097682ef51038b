public import ImmutableData

// The count contains no personal data.
extension CounterState: Impersonal {}
extension CounterAction: Impersonal {}
