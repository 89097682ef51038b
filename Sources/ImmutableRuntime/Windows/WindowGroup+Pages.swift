import HTMLTemplates
public import ImmutableUI

/// A page for one visitor.
public struct PageContent: Sendable {
  let path: PagePath
  public let title: String
  /// The assets that the page's components need, each once.
  public package(set) var assets: [Asset]
  /// Its appearance, if it is a preview.
  public internal(set) var appearance: Appearance?
  public let version: UInt64
  /// Writes the root region and everything in it. It can be used on any thread.
  public let writer: PageWriter
  /// Whether the page shows something that is in progress. Without JavaScript it should reload
  /// itself.
  public let isWaiting: Bool
  /// Whether the path names something that does not exist. The page then shows the closest match.
  public let isMissing: Bool
  /// Whether what is missing has existed, and was deleted.
  public let wasDeleted: Bool
  /// The toast about a submission that came without JavaScript.
  public let toast: ToastContent?

  /// The page's path with the names of its parameters, such as `/animals/:animal?`; `nil` if it has
  /// none.
  public var pathPattern: String? {
    self.path.parameters.isEmpty ? nil : self.path.text
  }

  /// The path for navigation; `nil` if the page's path requires a parameter.
  public var navigationPath: String? { self.path.withoutParameters }

  /// The root region and everything in it, in one piece.
  ///
  /// - Complexity: O(n), n bytes.
  public var html: [UInt8] {
    var (writer, html) = (self.writer, HTMLWriter(capacity: 4_096))
    _ = writer.write(into: &html)
    return html.bytes
  }
}

/// The answer to a request for a page.
public enum PageAnswer: Sendable {
  case content(PageContent)
  /// Redirect to this URL, because the local state in the requested one was normalized.
  case redirect(String)
}

extension WindowGroup {
  /// Whether there is a page at a path.
  public func hasPage(at path: String) -> Bool {
    self.routes.route(path, Query()) != nil
  }

  /// The assets that the components of all pages need.
  public var assets: Set<Asset> {
    Set(self.assetsByPath.values.joined())
  }

  /// Renders a page. It waits a moment for data that the page fetches when it appears.
  ///
  /// - Parameters:
  ///   - path: The page's path.
  ///   - query: The requested query.
  ///   - session: The visitor's session.
  ///   - environment: The visitor's environment.
  ///   - refused: The refused submission that this page answers.
  ///   - receipt: The newest post of the browser, perhaps to another server. The page waits up to two
  ///     seconds until it can show it.
  ///   - requester: The client for which the page is rendered.
  ///   - makeToken: Creates the token of one form.
  /// - Throws: ``WindowError`` if there is no such page, or too much is being rendered.
  /// - Complexity: O(n), n bytes that no window shows already. The shared bytes are copied only
  ///   when the page is written (``PageContent/writer``).
  public func page(
    _ path: String,
    query: Query,
    session: Identifier? = nil,
    environment: WindowEnvironment = WindowEnvironment(),
    refused: RefusedSubmission? = nil,
    receipt: PostReceipt? = nil,
    requester: Requester = Requester(),
    makeToken: @escaping @Sendable () -> String = { Identifier().text }
  ) async throws -> PageAnswer {
    let (product, route) = try self.route(path, query)
    let answer = try await product.page(
      PageRequest(
        route: route,
        session: session,
        environment: environment,
        refused: refused,
        receipt: receipt,
        requester: requester,
        makeToken: makeToken
      )
    )
    if refused == nil, case .content = answer {
      self.note(
        .opens, by: session, in: nil, of: product, at: route.page.url(route.query), environment)
    }
    return answer
  }

  /// Turns a posted form into an action and dispatches it, once.
  ///
  /// If an accepted submission is sent again, it is not carried out again and gets the first
  /// answer. A refused submission had no effect, so it may be corrected and sent again.
  ///
  /// - Parameters:
  ///   - fields: All fields; ``FormField/form`` names the form, ``FormField/token`` the submission.
  ///   - path: The page that it was posted to.
  ///   - query: The page's local state, as it was requested.
  ///   - session: The visitor's session.
  ///   - environment: The visitor's environment.
  ///   - window: The window that posted it, if any. Its stream gets an event for the version.
  ///   - waits: Whether to wait, for a limited time, until the effect has ended.
  ///   - requester: The client that posted it.
  /// - Throws: ``WindowError``; nothing has changed.
  public func submit(
    _ fields: FormFields,
    to path: String,
    query: Query = Query(),
    session: Identifier,
    environment: WindowEnvironment = WindowEnvironment(),
    window: Identifier?,
    waits: Bool = false,
    requester: Requester = Requester()
  ) async throws -> SubmissionAnswer {
    let (product, route) = try self.route(path, query)
    let window = try window.map { id in
      (id: id, stream: try self.directory.window(id, of: session).stream)
    }
    let backlogEntry = try self.backlogEntry(of: fields, from: requester, in: product)
    let answer = await product.submit(
      Post(
        fields: fields,
        route: route,
        session: session,
        client: requester.network,
        environment: environment,
        window: window,
        waits: waits,
        backlogEntry: backlogEntry
      )
    )
    self.note(
      .posts(
        form: Self.knownName(of: fields[FormField.form] ?? "", in: product),
        refusal: answer.refusal?.message),
      by: session,
      in: window?.id,
      of: product,
      at: route.page.url(route.query),
      environment,
      // A refused post has no version of its own: it belongs to the newest.
      version: answer.refusal == nil ? answer.version : nil
    )
    return answer
  }

  /// The name of a form, if there is one with that name.
  private static func knownName(of form: String, in product: any AnyProduct) -> String {
    form == FormField.undo || product.forms[form] != nil ? form : Visit.Event.unknownForm
  }

  /// Whether a form of a page's product has a field for pictures.
  public func acceptsPictures(at path: String) -> Bool {
    self.routes.route(path, Query())?.product.acceptsPictures ?? false
  }

  /// The maximum size of a picture in a form's field, in bytes.
  ///
  /// - Returns: `nil` if the page's product has no such form, or if the form has no such field for
  ///   pictures.
  public func pictureLimit(at path: String, form: String, field: String) -> Int? {
    self.routes.route(path, Query())?.product.pictureLimit(form: form, field: field)
  }

  /// The forms that can be posted to a page, by name, with the names of their fields.
  public func forms(at path: String) -> [String: [String]] {
    self.routes.route(path, Query())?.product.forms ?? [:]
  }

  /// - Throws: ``WindowError`` if there is no such page.
  func route(_ path: String, _ query: Query) throws -> (product: any AnyProduct, Route) {
    guard let found = self.routes.route(path, query) else {
      throw WindowError(code: .unknownPage, message: "There is no page at \(path).")
    }
    return found
  }
}
