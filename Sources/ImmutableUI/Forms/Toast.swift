/// The message that a window shows once an action that it posted has taken effect, and how to undo
/// the action.
///
/// ```swift
/// static func toast(for action: AnimalsAction, in state: AnimalsState) -> Toast<AnimalsState>? {
///   guard case .ui(.animalList(.onTapDeleteButton(let id))) = action,
///     let animal = AnimalsState.selectAnimal(animalId: id)(state)
///   else { return nil }
///   return Toast("\(animal.name) deleted.", undo: .ui(.animalList(.onTapRestoreButton(animal))))
/// }
/// ```
///
/// *Undo* dispatches another action; nothing is rolled back.
public struct Toast<State: StoreState>: Sendable {
  package let message: Message
  package let subject: String?
  package let undo: (@Sendable (State) -> State.Action?)?

  package enum Message: Sendable {
    case sentence(String)
    /// Made from the state once the action has taken effect.
    case result(@Sendable (State) -> String)
  }

  /// - Parameter message: A sentence.
  public init(_ message: String) {
    self.message = .sentence(message)
    self.subject = nil
    self.undo = nil
  }

  /// A message that depends on the result of the action.
  ///
  /// - Parameter message: Makes a sentence from the state then. What it captures must be small. Pure.
  public init(result message: @escaping @Sendable (State) -> String) {
    self.message = .result(message)
    self.subject = nil
    self.undo = nil
  }

  /// - Parameters:
  ///   - message: A sentence.
  ///   - subject: What was changed, and of what, such as `"move Dog"`. A window shows only the
  ///     newest toast about a subject. If the one before said the same, *Undo* takes both back.
  ///   - action: Undoes what was done. Keep it small: it is kept for as long as the window may ask
  ///     for it.
  public init(_ message: String, about subject: String? = nil, undo action: State.Action) {
    self.init(message, about: subject) { _ in action }
  }

  /// - Parameters:
  ///   - message: A sentence.
  ///   - subject: What was changed, and of what, such as `"move Dog"`. A window shows only the
  ///     newest toast about a subject. If the one before said the same, *Undo* takes both back.
  ///   - undo: Makes the action that undoes what was done, from the state when *Undo* is pressed;
  ///     `nil` if that is no longer possible. What it captures must be small. Pure.
  public init(
    _ message: String,
    about subject: String? = nil,
    undo: @escaping @Sendable (State) -> State.Action?
  ) {
    self.message = .sentence(message)
    self.subject = subject
    self.undo = undo
  }
}
