import HTMLTemplates
public import ImmutableUI

/// A page as one visitor gets it.
public struct PageContent: Sendable {
  let path: PagePath
  public let title: String
  /// What the page's components bring, each once.
  public let assets: [Asset]
  public let version: UInt64
  /// Writes the root region with everything in it. It may be used anywhere.
  public let writer: PageWriter
  /// Whether it shows something that is under way, so that it should look again without JavaScript.
  public let isWaiting: Bool
  /// Whether there is nothing that the path names, so that it shows what comes closest.
  public let isMissing: Bool

  /// What the page's path has instead of its parameters: `/animals/:animal?`; `nil`: it has none.
  public var pathPattern: String? {
    self.path.parameters.isEmpty ? nil : self.path.text
  }

  /// Where navigation leads to this page; `nil`: its path needs a parameter.
  public var navigationPath: String? { self.path.withoutParameters }

  /// The root region with everything in it, whole.
  ///
  /// - Complexity: O(n), n bytes.
  public var html: [UInt8] {
    var (writer, html) = (self.writer, HTMLWriter(capacity: 4_096))
    _ = writer.write(into: &html)
    return html.bytes
  }
}

/// What a request for a page comes to.
public enum PageAnswer: Sendable {
  case content(PageContent)
  /// Go there instead: local state in the URL was normalised.
  case redirect(String)
}

extension WindowGroup {
  /// Whether there is a page at a path.
  public func hasPage(at path: String) -> Bool {
    self.routes.route(path, Query()) != nil
  }

  /// What the components of all pages bring.
  public var assets: Set<Asset> {
    Set(self.assetsByPath.values.joined())
  }

  /// Renders a page. What it shows for the first time is waited for a moment.
  ///
  /// - Parameters:
  ///   - path: The page's path.
  ///   - query: Its query, as it was requested.
  ///   - session: Who asked for it.
  ///   - environment: That of who asked for it.
  ///   - refused: A submission that this page answers.
  ///   - makeToken: Mints the token of one form.
  /// - Throws: ``WindowError`` when there is no such page.
  /// - Complexity: O(n), n bytes that no window shows already. The rest is shared: only whoever sends the
  ///   page writes it (``PageContent/writer``).
  public func page(
    _ path: String,
    query: Query,
    session: Identifier? = nil,
    environment: WindowEnvironment = WindowEnvironment(),
    refused: RefusedSubmission? = nil,
    makeToken: @escaping @Sendable () -> String = { Identifier().text }
  ) async throws -> PageAnswer {
    let (product, route) = try self.route(path, query)
    return try await product.page(
      PageRequest(
        route: route,
        session: session,
        environment: environment,
        refused: refused,
        makeToken: makeToken
      )
    )
  }

  /// Makes a submitted form an action and dispatches it, once.
  ///
  /// A submission that was accepted before is not carried out again: whoever sends it again gets the
  /// first answer. One that was refused had no effect, so it may be mended and sent again.
  ///
  /// - Parameters:
  ///   - fields: All fields; ``FormField/form`` names the form, ``FormField/token`` the submission.
  ///   - path: The page that it was posted to.
  ///   - query: Its local state, as it was requested.
  ///   - session: Who posted it.
  ///   - environment: That of who posted it.
  ///   - window: The window that posted it, if any; its stream gets an event for the version.
  ///   - waits: Whether to answer once the effect has ended, but not after long.
  /// - Throws: ``WindowError``; nothing has changed.
  public func submit(
    _ fields: FormFields,
    to path: String,
    query: Query = Query(),
    session: Identifier,
    environment: WindowEnvironment = WindowEnvironment(),
    window: Identifier?,
    waits: Bool = false
  ) async throws -> SubmissionAnswer {
    let (product, route) = try self.route(path, query)
    let stream = try window.map { try self.directory.window($0, of: session).stream }
    try self.refuseIfOverloaded(product)
    return await product.submit(
      Post(
        fields: fields,
        route: route,
        session: session,
        environment: environment,
        stream: stream,
        waits: waits
      )
    )
  }

  /// The forms that can be posted to a page, by name, with the names of their fields.
  public func forms(at path: String) -> [String: [String]] {
    self.routes.route(path, Query())?.product.forms ?? [:]
  }

  /// - Throws: ``WindowError`` when there is no such page.
  func route(_ path: String, _ query: Query) throws -> (product: any AnyProduct, Route) {
    guard let found = self.routes.route(path, query) else {
      throw WindowError(code: .unknownPage, message: "There is no page at \(path).")
    }
    return found
  }
}
