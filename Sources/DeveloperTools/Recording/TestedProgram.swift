/// The Swift source with which a test creates a program, for ``RecordingShrinker/test(of:in:)``.
public struct TestedProgram: Sendable {
  let imports: [String]
  let state: String
  let initialState: String
  let reducer: String
  let setUp: [String]
  let providers: [String]

  /// - Parameters:
  ///   - imports: Import declarations of the program's modules.
  ///   - state: The type of the store's state.
  ///   - initialState: Makes the first state.
  ///   - reducer: The argument `reducer` of the store.
  ///   - setUp: Lines that come before the pages.
  ///   - providers: Lines that provide the pages of `store`.
  public init(
    imports: [String],
    state: String,
    initialState: String,
    reducer: String,
    setUp: [String] = [],
    providers: [String]
  ) {
    self.imports = imports
    self.state = state
    self.initialState = initialState
    self.reducer = reducer
    self.setUp = setUp
    self.providers = providers
  }
}
