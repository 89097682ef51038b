import Foundation
import ImmutableData
import ImmutableRuntime
import Synchronization

/// A recorded action, reduced or refused. It is a class, so that the batches that keep it copy a
/// reference, and texts that nobody looks at are not made.
final class Entry: Identifiable, Sendable {
  /// Its number. Entries are numbered consecutively.
  let id: Int
  let time: Date
  /// The product's name.
  let product: String
  let recorded: ProductDispatch
  /// The same action in the store of all products; `nil` if it belongs to another store.
  let whole: Dispatch<any Sendable, any Sendable>?
  /// The action's cases, such as `ui.animalList.onAppear`.
  let name: String
  /// The approximate memory that it retains, in bytes.
  let bytes: Int
  /// What the log finds it by, once somebody has searched. Bounded like the entry.
  private let searched = Mutex<SearchedText?>(nil)

  init(id: Int, _ recorded: Recorded) {
    self.id = id
    self.time = recorded.time
    self.product = recorded.dispatch.productName
    self.recorded = recorded.dispatch
    self.whole = recorded.whole
    let dispatch = recorded.dispatch.dispatch
    self.name = ActionName(dispatch.action).cases
    let refusal = dispatch.refusal?.utf8.count ?? 0
    self.bytes = 600 + refusal + dispatch.retainedBytes
  }

  /// The action's payload, shortened.
  var payload: String { ActionName(self.dispatch.action).payload }

  /// Whether the log finds it by some words.
  func contains(all words: [SearchedText]) -> Bool {
    self.searched.contain(all: words) { self.searchText }
  }

  private var searchText: String {
    var words = [self.product, self.name, self.payload, self.dispatch.origin?.text ?? ""]
    if let window = self.dispatch.origin?.window { words.append(window) }
    if let refusal = self.refusal { words.append("refused \(refusal)") }
    return words.joined(separator: " ")
  }

  var dispatch: Dispatch<any Sendable, any Sendable> { self.recorded.dispatch }

  var oldState: any Sendable { self.dispatch.oldState }

  /// The state after it.
  var state: any Sendable { self.dispatch.newState }

  /// Why it was refused; `nil` if it was accepted.
  var refusal: String? { self.dispatch.refusal }
}

// A recorded entry never changes.
extension Entry: Hashable {
  static func == (lhs: Entry, rhs: Entry) -> Bool { lhs.id == rhs.id }

  func hash(into hasher: inout Hasher) { hasher.combine(self.id) }
}

extension Dispatch {
  /// Why it was refused; `nil` if it was accepted.
  var refusal: String? { if case .failure(let error) = self.result { "\(error)" } else { nil } }

  /// The state after it. A refused action does not change the state.
  var newState: State { (try? self.result.get()) ?? self.oldState }
}

extension ProductDispatch {
  /// `Animals` for `AnimalsState`.
  var productName: String { Self.productName(of: self.product) }

  static func productName(of state: String) -> String {
    state.hasSuffix("State") ? String(state.dropLast(5)) : state
  }
}

/// The name of an action: the name of its enum's case, and of the cases in it.
struct ActionName {
  let cases: String
  /// What the innermost case carries.
  let value: Any
  private let isCase: Bool

  init(_ action: Any) {
    var (cases, value): ([String], Any) = ([], action)
    while true {
      let mirror = Mirror(reflecting: value)
      guard mirror.displayStyle == .enum else {
        self.value = value
        break
      }
      guard let child = mirror.children.first else {
        cases.append("\(value)")
        self.value = ()
        break
      }
      cases.append(child.label ?? "")
      value = child.value
    }
    self.isCase = cases.isEmpty == false
    self.cases = self.isCase ? cases.joined(separator: ".") : "\(type(of: action))"
  }

  /// The value in one line, shortened; empty if there is none.
  var payload: String { self.isCase ? Inspection.payload(self.value) : "" }
}

extension ActionOrigin {
  /// The effect, with its cause; `nil` if the origin is not an effect.
  var effect: String? {
    if case .effect = self { self.text } else { nil }
  }

  /// The window that posted the form.
  var window: String? {
    if case .form(_, _, let window) = self { window } else { nil }
  }

  /// A text for people.
  var text: String {
    switch self {
    case .form(let name, let path, _): "form \u{201C}\(name)\u{201D} at \(path)"
    case .page(let path): "\(path) appeared"
    case .effect(let name, let version):
      version.map { "effect \(name) of \($0)" } ?? "effect \(name)"
    case .outside(let name): "from outside: \(name)"
    case .elsewhere: "another server"
    }
  }
}
