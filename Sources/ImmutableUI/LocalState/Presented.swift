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
/// It is in the URL with the submission that it waits for, so it survives a reload and a restart, and works
/// without JavaScript.
///
/// Source: the guide, chapter AnimalsUI (`isPresented` of its sheets).
public struct Presented<Value: Hashable & Sendable>: Hashable, Sendable {
  /// What is presented, or `nil`. Setting another value clears the submission and the failure.
  public var value: Value? {
    didSet {
      if self.value != oldValue { (self.submission, self.failure) = (nil, nil) }
    }
  }

  /// Names what was asked for in it.
  private(set) var submission: String?

  /// Why what was asked for in it was not done; not in the URL.
  public private(set) var failure: String?

  /// The submission that has just succeeded, for as long as the local state is being normalized; not in
  /// the URL.
  private(set) var success: Submission?

  public init(_ value: Value? = nil) {
    self.value = value
  }

  /// As it is while it waits for what was asked for in it, for previews.
  public static func waiting(_ value: Value) -> Self {
    var presented = Self(value)
    presented.submission = "preview"
    return presented
  }

  /// As it is after what was asked for in it was not done, for previews.
  public static func failed(_ value: Value, _ failure: String) -> Self {
    var presented = Self.waiting(value)
    presented.failure = failure
    return presented
  }

  /// Whether it waits for what was asked for in it.
  public var isWaiting: Bool {
    self.submission != nil && self.failure == nil
  }
}

/// When a ``Presented`` value closes after its form was posted.
public enum Closing: Sendable {
  /// Once the effect of what was posted has succeeded; at once if it has none.
  case onSuccess
  /// As the form is posted.
  case onSubmit
}

/// As the URL has it: the value's text; after two tildes the submission, if it waits for one.
extension Presented {
  fileprivate init?(_ text: String, _ coding: TextCoding<Value>) {
    // A submission's name has no tilde.
    guard let second = text.lastIndex(of: "~"), second > text.startIndex,
      case let first = text.index(before: second), text[first] == "~"
    else {
      guard let value = coding.read(text) else { return nil }
      self.init(value)
      return
    }
    guard let value = coding.read(String(text[..<first])) else { return nil }
    self.init(value)
    let submission = text[text.index(after: second)...]
    self.submission = submission.isEmpty ? nil : String(submission)
  }

  fileprivate func text(_ coding: TextCoding<Value>) -> String {
    guard let value = self.value.map(coding.write) else { return "" }
    guard self.submission != nil || value.contains("~~") || value.hasSuffix("~") else {
      return value
    }
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
  /// Writes what is presented as a coding does, with the submission that it waits for.
  static func presented<Content>(_ coding: TextCoding<Content>) -> Self
  where Value == Presented<Content> {
    Self(read: { Presented($0, coding) }, write: { $0.text(coding) })
  }
}

// What the library does with it.
extension Presented {
  /// It waits for a submission, or closes; see ``Closing``.
  fileprivate mutating func didPost(_ submission: String, waits: Bool) {
    guard waits, self.value != nil else {
      self.value = nil
      return
    }
    (self.submission, self.failure) = (submission, nil)
  }

  /// - Parameter outcome: `nil` if it is unknown, for example after a restart. The sheet then stays
  ///   open and no longer waits.
  fileprivate mutating func settle(_ outcome: EffectStatus?, at path: String) {
    guard let submission = self.submission else { return }
    switch outcome {
    case .success:
      self.value = nil
      self.success = Submission(path: path, name: submission)
    case .failure(let message): self.failure = message
    case .waiting: break
    case nil: self.submission = nil
    }
  }
}

extension Presented {
  fileprivate mutating func forgetSuccess() {
    self.success = nil
  }
}

/// A property that presents something, whatever that is.
struct PresentedProperty<Local>: Sendable {
  let isPresenting: @Sendable (Local) -> Bool
  let isWaiting: @Sendable (Local) -> Bool
  let submission: @Sendable (Local) -> String?
  let didPost: @Sendable (inout Local, _ submission: String, _ waits: Bool) -> Void
  let settle: @Sendable (inout Local, EffectStatus?, _ path: String) -> Void
  let forgetSuccess: @Sendable (inout Local) -> Void

  init<Value>(_ property: any WritableKeyPath<Local, Presented<Value>> & Sendable) {
    self.isPresenting = { $0[keyPath: property].value != nil }
    self.isWaiting = { $0[keyPath: property].isWaiting }
    self.submission = { $0[keyPath: property].submission }
    self.didPost = { $0[keyPath: property].didPost($1, waits: $2) }
    self.settle = { $0[keyPath: property].settle($1, at: $2) }
    self.forgetSuccess = { $0[keyPath: property].forgetSuccess() }
  }
}

/// The presented values of a local state.
extension LocalState {
  /// The submission that one of them waits for, or whose failure it shows.
  var submission: String? {
    Self.parameters.lazy.compactMap { $0.presented?.submission(self) }.first
  }

  var isPresenting: Bool {
    Self.parameters.contains { $0.presented?.isPresenting(self) == true }
  }

  var isWaiting: Bool {
    Self.parameters.contains { $0.presented?.isWaiting(self) == true }
  }

  /// - Parameter path: Of the page.
  mutating func settle(_ outcome: EffectStatus?, at path: String) {
    for parameter in Self.parameters { parameter.presented?.settle(&self, outcome, path) }
  }

  /// Call it once everything that follows from a success has been set.
  mutating func forgetSuccess() {
    for parameter in Self.parameters { parameter.presented?.forgetSuccess(&self) }
  }

  mutating func didPost(_ submission: String, closing property: AnyKeyPath, waits: Bool) {
    let parameter = Self.parameters.first { $0.property as AnyKeyPath == property }
    parameter?.presented?.didPost(&self, submission, waits)
  }
}
