import ImmutableData

typealias Store = ImmutableData.Store<FixtureState, FixtureAction>
