import Foundation
public import ImmutableRuntime
public import ImmutableUI
public import Pictures
import Synchronization

/// One tab. It shows its page with all pushes since then applied, like the module in a browser.
public final class TestWindow: Sendable {
  private struct Contents {
    var url: String
    var title: String
    var regions: [String: TestRegion] = [:]
    var id: Identifier?
    var place = 0
    var navigation = 1
    /// Whether a submit has moved the window to another URL since the last check. The test expects
    /// the content there.
    var didMove = false
    var toast: (message: String, submission: String?)?
  }

  private let app: TestApp
  private let session: Identifier
  private let environment: WindowEnvironment
  private let stream: Identifier
  private let contents: Mutex<Contents>

  /// The page as it was loaded, including late slots; every token in it is `TOKEN`.
  public let page: String

  init(
    app: TestApp,
    session: Identifier,
    environment: WindowEnvironment,
    stream: Identifier,
    url: String,
    title: String,
    page: String
  ) {
    self.app = app
    self.session = session
    self.environment = environment
    self.stream = stream
    self.page = page
    self.contents = Mutex(Contents(url: url, title: title))
  }

  /// Path and query, as the address bar shows them.
  public var url: String {
    self.contents.withLock { $0.url }
  }

  /// The document's title.
  public var title: String {
    self.contents.withLock { $0.title }
  }

  /// Who uses the window: the author of what its forms post.
  public var visitor: Visitor? { self.environment.visitor }

  /// The newest message about a submission of this window.
  public var toast: String? {
    self.contents.withLock { $0.toast?.message }
  }

  /// The submission that *Undo* in ``toast`` undoes; `nil` if it has none.
  public var toastSubmission: String? {
    self.contents.withLock { $0.toast?.submission }
  }

  /// The HTML that the window shows: the root region with all nested ones, without late values.
  public var html: String {
    self.contents.withLock { contents in
      TestRegion.html(contents.regions, contents.regions["root"])
    }
  }

  /// The text that the window shows, white space folded.
  public var text: String {
    self.html
      .replacing(/(<[^>]*>)*<wbr>(<[^>]*>)*/, with: "")  // within a word, like the tags beside it
      .replacing(/<\/?(?:bdi|mark)>/, with: "")  // around a part of a sentence, or of a word
      .replacing(/<[^>]*>/, with: " ")
      .split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
      .unescaped
  }
}

extension TestWindow {
  func join(awaiting submissions: [AwaitedSubmission] = []) async throws {
    let id = try await self.app.windows.join(
      stream: self.stream,
      session: self.session,
      at: self.url,
      navigation: 1,
      tags: [:],
      awaited: submissions,
      environment: self.environment
    )
    self.contents.withLock { $0.id = id }
    self.app.didVisit(self.url, in: self.environment)
    _ = try self.receive()
  }

  func leave() async throws {
    guard let id = self.contents.withLock({ $0.id }) else { return }
    try await self.app.windows.leave(id, session: self.session)
  }

  /// Joins anew with what it shows, like a browser whose connection was lost.
  package func rejoin() async throws {
    try await self.leave()
    _ = try self.receive()
    let (url, tags) = self.contents.withLock { contents in
      (contents.url, contents.regions.mapValues(\.tag))
    }
    let id = try await self.app.windows.join(
      stream: self.stream,
      session: self.session,
      at: url,
      navigation: 1,
      tags: tags,
      environment: self.environment
    )
    self.contents.withLock { contents in
      contents.id = id
      contents.navigation = 1
    }
    self.app.didVisit(url, in: self.environment)
    _ = try self.receive()
  }

  /// Holds up its stream, as if the browser read nothing, or lets it catch up.
  package func hold(_ isHeld: Bool) async {
    for outdated in self.app.streams.hold(self.stream, isHeld) {
      await self.app.windows.showAgain(outdated.window, tags: outdated.tags)
    }
  }

  /// Submits a form, and follows the location of the answer.
  ///
  /// - Parameters:
  ///   - form: The form's name.
  ///   - fields: Its fields.
  ///   - pictures: Its fields for pictures, as the server has stored them.
  ///   - token: The submission; a new one if `nil`.
  /// - Returns: The answer, which may be a refusal.
  /// - Throws: ``WindowTestError`` if no template has this form, or the form lacks a field.
  @discardableResult
  public func submit(
    _ form: String,
    _ fields: [String: String] = [:],
    pictures: [String: Picture] = [:],
    token: String? = nil
  ) async throws -> SubmissionAnswer {
    try await self.submit(form, fields.mapValues { [$0] }, pictures: pictures, token: token)
  }

  /// Submits a form with fields of several values, and follows the location of the answer.
  ///
  /// - Parameters:
  ///   - form: The form's name.
  ///   - fields: The values of its fields.
  ///   - pictures: Its fields for pictures, as the server has stored them.
  ///   - token: The submission; a new one if `nil`.
  /// - Returns: The answer, which may be a refusal.
  /// - Throws: ``WindowTestError`` if no template has this form, or the form lacks a field.
  @discardableResult
  public func submit(
    _ form: String,
    _ fields: [String: [String]],
    pictures: [String: Picture] = [:],
    token: String? = nil
  ) async throws -> SubmissionAnswer {
    var items = fields.flatMap { name, values in
      values.map { QueryItem(name: name, value: $0) }
    }
    items.append(QueryItem(name: FormField.form, value: form))
    items.append(QueryItem(name: FormField.token, value: token ?? Identifier().text))
    try self.check(
      form, Set(fields.keys).union(pictures.keys), at: String(self.url.prefix { $0 != "?" }))
    return try await self.post(items, pictures)
  }

  /// Presses *Undo* in the newest toast.
  ///
  /// - Returns: The answer, which may be a refusal.
  /// - Throws: ``WindowTestError`` when there is no toast with *Undo*.
  @discardableResult
  public func undo() async throws -> SubmissionAnswer {
    _ = try self.receive()
    guard let submission = self.toastSubmission else {
      throw WindowTestError("the window shows nothing that can be undone")
    }
    return try await self.post([
      QueryItem(name: FormField.form, value: FormField.undo),
      QueryItem(name: FormField.token, value: Identifier().text),
      QueryItem(name: FormField.submission, value: submission),
    ])
  }

  private func post(
    _ items: [QueryItem],
    _ pictures: [String: Picture] = [:]
  ) async throws -> SubmissionAnswer {
    let (url, path) = (self.url, String(self.url.prefix { $0 != "?" }))
    let query = Query(url.dropFirst(path.count + 1))
    let answer = try await self.app.windows.submit(
      FormFields(Query(items), pictures: pictures.mapValues { .success($0) }),
      to: path,
      query: query,
      session: self.session,
      environment: self.environment,
      window: self.contents.withLock { $0.id }
    )
    if case .accepted(let acceptance) = answer, acceptance.url != url {
      try await self.navigate(to: acceptance.url)
    }
    try await self.app.frame()
    return answer
  }

  private func check(_ form: String, _ fields: Set<String>, at path: String) throws {
    let forms = self.app.windows.forms(at: path)
    guard let known = forms[form] else {
      throw WindowTestError(
        "no template has a form \u{201C}\(form)\u{201D}. There are: "
          + forms.keys.sorted().joined(separator: ", ")
      )
    }
    guard let field = fields.subtracting(known).min() else { return }
    throw WindowTestError(
      "the form \u{201C}\(form)\u{201D} has no field \u{201C}\(field)\u{201D}. It has: "
        + known.joined(separator: ", ")
    )
  }

  /// Follows a link to another URL.
  public func navigate(to url: String) async throws {
    let (id, navigation) = self.contents.withLock { contents in
      contents.navigation += 1
      return (contents.id, contents.navigation)
    }
    guard let id else { throw WindowTestError("the window has not joined") }
    try await self.app.windows.navigate(
      id,
      session: self.session,
      to: url,
      navigation: navigation,
      tags: nil,
      environment: self.environment
    )
    self.contents.withLock { contents in
      contents.url = url
      contents.didMove = true
    }
    self.app.didVisit(url, in: self.environment)
    _ = try self.receive()
  }

  /// Takes the pushes since the last call, and applies them.
  ///
  /// - Throws: ``WindowTestError`` for a patch that does not apply.
  public func receive() throws -> [Push] {
    let (pushes, toasts) = self.app.streams.take(self.stream)
    for push in pushes {
      try self.apply(push)
    }
    if let toast = try toasts.last?.toast {
      self.contents.withLock { $0.toast = toast }
    }
    return pushes
  }

  /// Expects that pushes arrived, or that the window has moved, and that the window then shows
  /// this text.
  ///
  /// - Throws: ``WindowTestError`` with the content of the window, if no push arrived, or the text
  ///   is missing.
  @discardableResult
  public func expect(_ text: String) async throws -> [Push] {
    try await self.app.frame()
    let pushes = try self.receive()
    let didMove = self.contents.withLock { contents in
      defer { contents.didMove = false }
      return contents.didMove
    }
    guard self.text.contains(text) else {
      throw WindowTestError(
        "expected \u{201C}\(text)\u{201D}, but the window shows \u{201C}\(self.text)\u{201D}"
      )
    }
    guard pushes.isEmpty == false || didMove else {
      throw WindowTestError(
        "expected a push after which the window shows \u{201C}\(text)\u{201D}: it has shown that "
          + "before, \u{201C}\(self.text)\u{201D}"
      )
    }
    return pushes
  }

  /// Expects that nothing was pushed.
  ///
  /// - Throws: ``WindowTestError`` with the pushes.
  public func expectNothing() async throws {
    try await self.app.frame()
    let pushes = try self.receive()
    guard pushes.isEmpty else {
      throw WindowTestError(
        "expected no push, but got:\n" + pushes.map(\.description).joined(separator: "\n")
      )
    }
  }
}

extension TestWindow {
  private func apply(_ push: Push) throws {
    guard push.event != "version" else { return }
    let event = try JSONDecoder().decode(EventJSON.self, from: Data(push.data.utf8))
    try self.contents.withLock { contents in
      switch push.event {
      case "show":
        contents.place = event.place
      case "move":
        guard event.place == contents.place, let to = event.to else { return }
        contents.place = to
      default:
        guard event.place == contents.place else { return }
      }
      contents.url = event.url ?? contents.url
      contents.title = event.title ?? contents.title
      for patch in event.regions {
        contents.regions[patch.region] = try TestRegion(contents.regions[patch.region], patch)
      }
    }
  }
}

extension Push {
  fileprivate var toast: (message: String, submission: String?) {
    get throws {
      let event = try JSONDecoder().decode(ToastJSON.self, from: Data(self.data.utf8))
      return (event.message, event.submission)
    }
  }
}

private struct ToastJSON: Decodable {
  let message: String
  let submission: String?
}

struct EventJSON: Decodable {
  let place: Int
  let to: Int?
  let url: String?
  let title: String?
  let regions: [PatchJSON]
}
