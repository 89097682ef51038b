import ImmutableData

/// Something that one window presents over its page, such as a sheet. It closes itself when the
/// action that was posted in it has succeeded, and gives the reason when it has failed.
///
/// ```swift
/// var sheet = Presented<Sheet>()
///
/// Parameter("sheet", \.sheet)
/// .link("add", Local.self) { local, _ in local.sheet.value = .add }
/// .form("save", Self.save, closing: \Local.sheet)
/// ```
///
/// The URL contains it, with the submission that it waits for. So it survives a reload and a
/// restart, and works without JavaScript.
///
/// Source: the guide, chapter AnimalsUI (`isPresented` of its sheets).
public struct Presented<Value: Hashable & Sendable>: Hashable, Sendable {
  /// What is presented, or `nil`. Setting another value clears the submission and the failure.
  public var value: Value? {
    didSet {
      if self.value != oldValue { (self.submission, self.failure) = (nil, nil) }
    }
  }

  /// The name of the submission that was posted in it.
  private(set) var submission: String?

  /// Why the submission failed; not in the URL.
  public private(set) var failure: String?

  /// The submission that has just succeeded, while the local state is being normalized; not in the
  /// URL.
  private(set) var success: Submission?

  public init(_ value: Value? = nil) {
    self.value = value
  }

  /// A value that waits for its submission, for previews.
  public static func waiting(_ value: Value) -> Self {
    var presented = Self(value)
    presented.submission = "preview"
    return presented
  }

  /// A value whose submission has failed, for previews.
  public static func failed(_ value: Value, _ failure: String) -> Self {
    var presented = Self.waiting(value)
    presented.failure = failure
    return presented
  }

  /// Whether it waits for its submission.
  public var isWaiting: Bool {
    self.submission != nil && self.failure == nil
  }
}

/// When a ``Presented`` value closes after its form was posted.
public enum Closing: Sendable {
  /// Once the effect of the posted action has succeeded; immediately if it has no effect.
  case onSuccess
  /// As soon as the form is posted.
  case onSubmit
}

/// The form in the URL: the value's text and, if it waits for a submission, two tildes and the
/// submission.
extension Presented {
  /// The size of the tildes and the submission.
  static var submissionBytes: Int { 24 }

  fileprivate init?(_ text: String, _ coding: TextCoding<Value>) {
    // A submission's name has no tilde.
    // The tildes are found as scalars, because marks after them belong to the submission.
    let scalars = text.unicodeScalars
    guard let second = scalars.lastIndex(of: "~"), second > scalars.startIndex,
      case let first = scalars.index(before: second), scalars[first] == "~"
    else {
      guard let value = coding.read(text) else { return nil }
      self.init(value)
      return
    }
    guard let value = coding.read(String(scalars[..<first])) else { return nil }
    self.init(value)
    let submission = scalars[scalars.index(after: second)...]
    self.submission = submission.isEmpty ? nil : String(submission)
  }

  fileprivate func text(_ coding: TextCoding<Value>) -> String {
    guard let value = self.value.map(coding.write) else { return "" }
    let bytes = value.utf8
    let isAmbiguous = bytes.last == UInt8(ascii: "~") || bytes.firstRange(of: "~~".utf8) != nil
    guard self.submission != nil || isAmbiguous else { return value }
    return "\(value)~~\(self.submission ?? "")"
  }
}

extension Presented: LosslessStringConvertible, CustomStringConvertible
where Value: LosslessStringConvertible {
  public init?(_ description: String) {
    self.init(description, .description)
  }

  public var description: String { self.text(.description) }
}

extension TextCoding {
  /// Writes what is presented with an encoding, and the submission that it waits for.
  ///
  /// - Parameter limit: The maximum size of what is presented, in bytes; more is neither read nor
  ///   written.
  static func presented<Content>(_ coding: TextCoding<Content>, limit: Int) -> Self
  where Value == Presented<Content> {
    @Sendable func fits(_ presented: Presented<Content>) -> Bool {
      presented.value.map(coding.write)?.utf8.count ?? 0 <= limit
    }
    return Self(
      read: { text in Presented(text, coding).flatMap { fits($0) ? $0 : nil } },
      write: { fits($0) ? $0.text(coding) : "" }
    )
  }
}

// Used by the library.
extension Presented {
  /// It waits for a submission, or closes; see ``Closing``.
  fileprivate mutating func didPost(_ submission: String, waits: Bool) {
    guard waits, self.value != nil else {
      self.value = nil
      return
    }
    (self.submission, self.failure) = (submission, nil)
  }

  /// - Parameters:
  ///   - submission: The submission that has ended; another one changes nothing.
  ///   - outcome: `nil` if it is unknown, for example after a restart, and `.empty` if it was
  ///     cancelled. The sheet then stays open and no longer waits.
  fileprivate mutating func settle(
    _ submission: String,
    _ outcome: OperationStatus?,
    at path: String
  ) {
    guard submission == self.submission else { return }
    switch outcome {
    case .success:
      self.value = nil
      self.success = Submission(path: path, name: submission)
    case .failure(let message): self.failure = message
    case .waiting: break
    case nil, .empty: self.submission = nil
    }
  }
}

extension Presented {
  fileprivate mutating func forgetSuccess() {
    self.success = nil
  }
}

/// A property that presents something, with its type erased.
struct PresentedProperty<Local>: Sendable {
  let isPresenting: @Sendable (Local) -> Bool
  let isWaiting: @Sendable (Local) -> Bool
  let submission: @Sendable (Local) -> String?
  let didPost: @Sendable (inout Local, _ submission: String, _ waits: Bool) -> Void
  let settle:
    @Sendable (inout Local, _ submission: String, OperationStatus?, _ path: String) -> Void
  let forgetSuccess: @Sendable (inout Local) -> Void

  init<Value>(_ property: any WritableKeyPath<Local, Presented<Value>> & Sendable) {
    self.isPresenting = { $0[keyPath: property].value != nil }
    self.isWaiting = { $0[keyPath: property].isWaiting }
    self.submission = { $0[keyPath: property].submission }
    self.didPost = { $0[keyPath: property].didPost($1, waits: $2) }
    self.settle = { $0[keyPath: property].settle($1, $2, at: $3) }
    self.forgetSuccess = { $0[keyPath: property].forgetSuccess() }
  }
}

/// The presented values of a local state.
extension LocalState {
  /// The submissions that they wait for, or whose failures they show.
  var submissions: [String] {
    Self.parameters.compactMap { $0.presented?.submission(self) }
  }

  var isPresenting: Bool {
    Self.parameters.contains { $0.presented?.isPresenting(self) == true }
  }

  var isWaiting: Bool {
    Self.parameters.contains { $0.presented?.isWaiting(self) == true }
  }

  /// - Parameters:
  ///   - submission: The submission that has ended.
  ///   - path: The path of the page.
  mutating func settle(_ submission: String, _ outcome: OperationStatus?, at path: String) {
    for parameter in Self.parameters {
      parameter.presented?.settle(&self, submission, outcome, path)
    }
  }

  /// Call it once all consequences of a success have been applied.
  mutating func forgetSuccess() {
    for parameter in Self.parameters { parameter.presented?.forgetSuccess(&self) }
  }

  mutating func didPost(_ submission: String, closing property: AnyKeyPath, waits: Bool) {
    let parameter = Self.parameters.first { $0.property as AnyKeyPath == property }
    parameter?.presented?.didPost(&self, submission, waits)
  }
}
