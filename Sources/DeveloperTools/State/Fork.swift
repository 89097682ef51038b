import ImmutableData
import ImmutableUI

/// The result of recorded actions if some had been skipped or reordered.
///
/// The reducer of the store of all products runs the actions one after another, from the state
/// before the first. No store changes, and no effect runs: the recorded actions include those that
/// effects dispatched.
struct Fork: Sendable {
  struct Step: Identifiable, Hashable, Sendable {
    enum Outcome: Hashable, Sendable {
      case reduced
      case refused(String)
      case skipped
    }

    let entry: Entry
    let outcome: Outcome
    /// Whether it was moved from its recorded position.
    let isMoved: Bool

    var id: Int { self.entry.id }
  }

  let plan: ForkPlan
  let steps: [Step]
  /// The final state of the store of all products.
  let state: any Sendable
  /// The state after the same actions in the recording.
  let recordedState: any Sendable

  /// - Parameter entries: The entries of the store of all products, in recorded order; one or more.
  /// - Complexity: The same as reducing each action.
  init?(_ plan: ForkPlan, of entries: [Entry], _ reduce: InspectedProgram.Reduce) {
    guard let base = entries.first?.whole?.oldState, let recorded = entries.last?.whole?.newState
    else { return nil }
    let numbers = entries.map(\.id)
    let byNumber = Dictionary(entries.map { ($0.id, $0) }) { $1 }
    let skipped = Set(plan.skipped)
    var state = base
    var steps: [Step] = []
    for (number, recorded) in zip(plan.ordered(numbers), numbers) {
      guard let entry = byNumber[number], let whole = entry.whole else { continue }
      let outcome: Step.Outcome =
        skipped.contains(number) ? .skipped : Self.carryOut(whole.action, &state, reduce)
      steps.append(Step(entry: entry, outcome: outcome, isMoved: number != recorded))
    }
    self.plan = plan
    self.steps = steps
    self.state = state
    self.recordedState = recorded
  }

  private static func carryOut(
    _ action: any Sendable,
    _ state: inout any Sendable,
    _ reduce: InspectedProgram.Reduce
  ) -> Step.Outcome {
    do {
      state = try reduce(state, action)
      return .reduced
    } catch {
      return .refused("\(error)")
    }
  }
}

// A fork is determined by its plan and the recording.
extension Fork: Hashable {
  static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.plan == rhs.plan && lhs.steps == rhs.steps
  }

  func hash(into hasher: inout Hasher) { hasher.combine(self.plan) }
}

extension DeveloperState {
  /// The entries of a fork in recorded order, up to the first pause of the recording.
  ///
  /// - Complexity: O(n), n entries from the first on.
  static func selectForkEntries(from id: Int?) -> @Sendable (Self) -> [Entry] {
    { state in
      guard let id, state.entries[id] != nil else { return [] }
      return Array(
        (id...state.newest).lazy.map { state.entries[$0] }.prefix { $0 != nil }
          .compactMap(\.self).filter { $0.whole != nil }.prefix(ForkPlan.limit))
    }
  }

  /// - Returns: `nil` if its first action is not in the recording.
  func fork(_ plan: ForkPlan) -> Fork? {
    Fork(plan, of: Self.selectForkEntries(from: plan.from)(self), self.program.reduce)
  }
}

/// Selects the result of a fork's plan.
@propertyWrapper struct SelectFork: Hashable, Sendable {
  @ImmutableUI.Selector<DeveloperState.Store, [Entry], Fork?> var wrappedValue: Fork?

  init(_ plan: ForkPlan) {
    self._wrappedValue = ImmutableUI.Selector(
      id: plan,
      dependencySelector: DeveloperState.selectForkEntries(from: plan.from),
      outputSelector: { $0.fork(plan) }
    )
  }
}
