import HTMLTemplates

/// A page as one visitor gets it.
public struct PageContent: Sendable {
  public let title: String
  public let version: UInt64
  /// Writes the root region with everything in it. It may be used anywhere.
  public let writer: PageWriter
  /// Whether it shows something that is under way, so that it should look again without JavaScript.
  public let isWaiting: Bool

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
  /// The paths of all pages.
  public nonisolated var paths: Set<String> {
    Set(self.pages.keys)
  }

  /// The path and title of each page, in the order of paths.
  public nonisolated var links: [(path: String, title: String)] {
    self.pages.values.map { ($0.path, $0.title) }.sorted { $0.path < $1.path }
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
    guard let page = self.pages[path] else {
      throw WindowError(code: .unknownPage, message: "There is no page at \(path).")
    }
    let requested = page.locate(query, environment)
    if refused == nil {
      if let appear = page.appear(requested) { await self.appear(page, appear) }
      await self.wait(in: page, for: self.configuration.appearTimeout) { snapshot in
        page.isWaiting(self.normalize(page, requested, snapshot), snapshot)
      }
    }
    let (version, snapshot) = self.snapshot(of: page)
    let location = self.normalize(page, requested, snapshot)
    if location.query != requested.query, refused == nil {
      return .redirect(location.url)
    }
    let draft = page.submission(location).flatMap { self.drafts[$0, of: session] }
    let (composition, _) = self.compose(page, location, version, snapshot)
    self.hold(composition)
    let writer = PageWriter(
      composition: composition,
      context: PageContext(
        path: path,
        query: location.query,
        overlay: location.overlay,
        makeToken: makeToken,
        refused: refused ?? draft
      )
    )
    return .content(
      PageContent(
        title: page.title,
        version: version,
        writer: writer,
        isWaiting: page.isWaiting(location, snapshot)
      )
    )
  }

  /// Waits while something holds of a page's store, or of the outcomes, but not for long.
  func wait(
    in page: ProvidedPage,
    for limit: Duration,
    while holds: (_ snapshot: any Sendable) -> Bool
  ) async {
    let (store, deadline) = (page.store, ContinuousClock.now + limit)
    while ContinuousClock.now < deadline {
      let (version, snapshot) = self.snapshot(of: page)
      guard holds(snapshot) else { return }
      await store.wait(for: deadline - .now) { store.snapshot().version != version }
    }
  }
}
