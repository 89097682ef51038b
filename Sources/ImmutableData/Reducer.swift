/// A pure function from a state and what just happened to the next state.
///
/// It reads no clock, no random source and no environment: dates and identifiers come in the
/// action. It may throw to refuse an action; the state is then unchanged.
///
/// Source: the guide, chapter ImmutableData, section Reducer.
public typealias Reducer<State, Action> = @Sendable (State, Action) throws -> State
