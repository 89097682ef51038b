import ImmutableData
import ImmutableUI

// Audits.
extension Product {
  /// Checks that the reducer leads to the same state when it reduces an action again. If it reads a
  /// clock or a random source, it does not.
  ///
  /// - Parameter version: The version of the actions that were checked already.
  /// - Returns: What is wrong.
  /// - Complexity: That of the reducer and of a comparison of two states, for each action since then.
  func reducerFinding(in snapshot: Snapshot, since version: UInt64) -> String? {
    guard self.source.isRoot, snapshot.isPast == false,
      let actions = snapshot.actions(since: version)
    else { return nil }
    let newStates = actions.dropFirst().map { $0.oldState } + [snapshot.state]
    for (logged, newState) in zip(actions, newStates) {
      let again = try? self.source.state(after: logged.action, in: logged.oldState)
      guard let part = StatePart.firstDifference(newState, again ?? logged.oldState) else {
        continue
      }
      return "the reducer of \(self.name) reads more than the state and the action: reduced again, "
        + "\(ActionOrigin.name(of: logged.action)) gives "
        + (part.isEmpty ? "another state" : "another \u{201C}\(part)\u{201D}")
        + ". Put dates, ids and random numbers into the action"
    }
    return nil
  }
}

/// Finds the parts in which two states differ, whether or not their types are `Equatable`.
enum StatePart {
  /// - Returns: A path such as `notes.2.date`; `nil` if nothing differs that can be compared.
  /// - Complexity: O(n), n parts.
  static func firstDifference(_ one: Any, _ two: Any) -> String? {
    if let equatable = one as? any Equatable, self.areEqual(equatable, two) { return nil }
    let (first, second) = (Mirror(reflecting: one), Mirror(reflecting: two))
    guard self.hasParts(one, first) else {
      // What does not equal itself, such as a number that is none, proves nothing.
      guard let equatable = one as? any Equatable, self.areEqual(equatable, one) else { return nil }
      return ""
    }
    guard first.children.count == second.children.count else { return "" }
    for (index, (old, new)) in zip(first.children, second.children).enumerated() {
      guard old.label == new.label else { return "" }
      guard let rest = self.firstDifference(old.value, new.value) else { continue }
      let label = old.label ?? "\(index)"
      return rest.isEmpty ? label : "\(label).\(rest)"
    }
    return nil
  }

  /// Whether a difference is in one of the children. Those of a set have no order, objects may refer
  /// to each other, and of a date or an id only the whole means something.
  private static func hasParts(_ value: Any, _ mirror: Mirror) -> Bool {
    switch mirror.displayStyle {
    case .set, .dictionary, .class: false
    case .struct: value is any CustomStringConvertible == false && mirror.children.isEmpty == false
    default: mirror.children.isEmpty == false
    }
  }

  private static func areEqual<Value: Equatable>(_ one: Value, _ two: Any) -> Bool {
    two as? Value == one
  }
}
