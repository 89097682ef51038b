import Foundation
import ImmutableData
import ImmutableRuntime

/// A recorded action, reduced or refused.
struct Entry: Identifiable, Sendable {
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
  /// The action's payload, shortened.
  let payload: String
  /// What the log finds it by.
  let searched: SearchedText
  /// The approximate memory that it retains, in bytes.
  let bytes: Int

  init(id: Int, _ recorded: Recorded) {
    self.id = id
    self.time = recorded.time
    self.product = recorded.dispatch.productName
    self.recorded = recorded.dispatch
    self.whole = recorded.whole
    let action = ActionName(recorded.dispatch.dispatch.action)
    self.name = action.cases
    self.payload = action.payload
    self.searched = SearchedText(recorded, action)
    self.bytes = 512 + self.searched.count + recorded.dispatch.dispatch.retainedBytes
  }

  var dispatch: Dispatch<any Sendable, any Sendable> { self.recorded.dispatch }

  var oldState: any Sendable { self.dispatch.oldState }

  /// The state after it.
  var state: any Sendable { self.dispatch.newState }

  /// Why it was refused; `nil` if it was accepted.
  var refusal: String? { self.dispatch.refusal }
}

extension SearchedText {
  fileprivate init(_ recorded: Recorded, _ action: ActionName) {
    let dispatch = recorded.dispatch.dispatch
    var words = [recorded.dispatch.productName, action.cases, action.payload]
    words.append(dispatch.origin?.text ?? "")
    if let window = dispatch.origin?.window { words.append(window) }
    if let refusal = dispatch.refusal { words.append("refused \(refusal)") }
    self.init(words.joined(separator: " "))
  }
}

// A recorded entry never changes.
extension Entry: Hashable {
  static func == (lhs: Self, rhs: Self) -> Bool { lhs.id == rhs.id }

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
  let payload: String
  /// What the innermost case carries.
  let value: Any

  init(_ action: Any) {
    var (cases, value): ([String], Any) = ([], action)
    while true {
      let mirror = Mirror(reflecting: value)
      guard mirror.displayStyle == .enum else {
        self.payload = cases.isEmpty ? "" : Inspection.payload(value)
        self.value = value
        break
      }
      guard let child = mirror.children.first else {
        cases.append("\(value)")
        self.payload = ""
        self.value = ()
        break
      }
      cases.append(child.label ?? "")
      value = child.value
    }
    self.cases = cases.isEmpty ? "\(type(of: action))" : cases.joined(separator: ".")
  }
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
