public import ImmutableData

// Earthquakes are public, and what people look for is in their windows only.
extension QuakesState: Impersonal {}
extension QuakesAction: Impersonal {}
