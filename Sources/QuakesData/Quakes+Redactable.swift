public import ImmutableData

// Earthquakes are public data, and searches exist only in windows.
extension QuakesState: Impersonal {}
extension QuakesAction: Impersonal {}
