/// The parts of a selector that do not depend on what it selects. Copies of a selector share it,
/// because components with selectors are copied often.
final class SelectorDefinition<Memo: OutputMemo>: SelectorDeclaration {
  let key: MemoKey
  let makeMemo: @Sendable () -> Memo

  init(key: MemoKey, makeMemo: @escaping @Sendable () -> Memo) {
    self.key = key
    self.makeMemo = makeMemo
  }

  /// The output for the state that is being rendered. Reading it outside a render is a programmer
  /// error.
  var output: Memo.Output {
    guard let context = Rendering.required as? StoreRenderContext else {
      preconditionFailure("selectors have values only in the render of a region")
    }
    return context.select(self)
  }
}

extension SelectorDefinition: Hashable {
  /// Equal selectors share one memo.
  static func == (lhs: SelectorDefinition, rhs: SelectorDefinition) -> Bool {
    lhs === rhs || lhs.key == rhs.key
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(self.key)
  }
}

/// A selector whose types are erased.
package protocol SelectorDeclaration: AnyObject, Sendable {
  /// Where it is declared: file and line.
  var position: String { get }
}

extension SelectorDefinition {
  var position: String { self.key.callSite.description }
}

/// Identifies a memo within its product.
struct MemoKey: Hashable, Sendable {
  let callSite: CallSite
  let id: AnySendableHashable?
}

extension MemoKey {
  private struct Tracking: Hashable, Sendable {
    let table: any AnyKeyPath & Sendable
    let index: ObjectIdentifier
  }

  /// The key of an index or a tracker that selectors of a table share.
  ///
  /// - Parameters:
  ///   - table: The table in the state.
  ///   - index: The identity of the index. The memo must retain the index.
  init(tracking table: any AnyKeyPath & Sendable, by index: ObjectIdentifier) {
    self.init(
      callSite: CallSite(file: #fileID, line: #line, column: #column),
      id: AnySendableHashable(value: Tracking(table: table, index: index))
    )
  }
}

/// A memo whose output components read.
protocol OutputMemo: SelectorMemo {
  associatedtype State: Sendable
  associatedtype Action: Sendable
  associatedtype Output: Sendable

  /// The output of the last update. Reading it before the first update is a programmer error.
  var output: Output { get }

  /// For audits: whether the memo of a selector that shares this one would derive the same output.
  /// It would not if the selector captures something that is not in its id.
  func isShared(with other: Self, in scope: RenderScope<State, Action>) -> Bool
}
