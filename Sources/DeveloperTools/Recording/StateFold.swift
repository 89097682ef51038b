/// The states that recorded actions lead to.
struct StateFold<State: Sendable, Action: Codable & Sendable> {
  private let reducer: @Sendable (State, Action) throws -> State
  private(set) var newest: State
  private(set) var version: UInt64 = 0
  private(set) var digest: StateDigest
  /// Whether it continues a state of the recording.
  private(set) var isRecorded = false
  /// The newest states, oldest first. They are kept because pages are recorded a moment after the
  /// actions that they show.
  private var states: [(version: UInt64, state: State)]

  /// Starts from the checkpoint at the beginning of the recording, or from the initial state.
  ///
  /// - Throws: ``RecordingError`` if the checkpoint does not contain a state of this program,
  ///   although there were actions before it.
  init(_ replay: Replay<State, Action>, _ recording: Recording<Action>) throws {
    self.reducer = replay.reduce
    self.newest = replay.initialState
    self.digest = StateDigest(of: self.newest)
    self.states = [(0, self.newest)]
    guard let number = recording.firstCheckpoint,
      case .checkpoint(let checkpoint) = try recording.line(number)
    else { return }
    do {
      self.take(try recording.state(at: number), checkpoint)
    } catch {
      // Without earlier actions, this program's initial state takes its place.
      guard checkpoint.version == 0 else { throw error }
    }
  }

  /// Continues with the state of a checkpoint. Earlier states are not known.
  mutating func take(_ state: State, _ checkpoint: RecordedCheckpoint) {
    self.isRecorded = true
    self.newest = state
    self.version = checkpoint.version
    self.digest = StateDigest(of: state)
    self.states = [(checkpoint.version, state)]
  }

  mutating func reduce(_ recorded: RecordedAction<Action>) -> Result<State, any Error> {
    let result = Result { try self.reducer(self.newest, recorded.action) }
    self.version = recorded.version
    if case .success(let new) = result {
      self.digest.follow(from: self.newest, to: new)
      self.newest = new
      self.states.append((recorded.version, new))
      if self.states.count > 2 * RecordingFormat.waitingLimit {
        self.states.removeFirst(RecordingFormat.waitingLimit)
      }
    }
    return result
  }

  /// - Returns: `nil` if it was too long ago.
  func state(at version: UInt64) -> State? {
    self.states.last { $0.version <= version }?.state
  }
}
