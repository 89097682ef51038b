import ImmutableData
import ImmutableUI
import Logging

extension Product {
  /// Renders a page. It waits a moment for data that the page fetches when it appears.
  ///
  /// - Complexity: O(n), n bytes that no window shows already. The shared bytes are copied only
  ///   when the page is written (``PageContent/writer``).
  nonisolated func page(_ request: PageRequest) async throws -> PageAnswer {
    await self.prepare?()
    let location = self.page(at: request.route.page)
      .location(request.route.query, request.environment)
    if let receipt = request.receipt { await self.wait(for: receipt) }
    if request.refused == nil {
      await self.appear(location)
      await self.waitForData(of: location)
    }
    return try await self.turns.take(request.requester) {
      try await self.page(request, at: location)
    }
  }

  private func wait(for receipt: PostReceipt) async {
    guard self.source.isShared else { return }
    await self.wait(for: .seconds(2)) { $0.version < receipt.version }
  }

  private func waitForData(of location: any Location<State>) async {
    await self.wait(for: self.configuration.appearTimeout) { snapshot in
      self.normalize(location, in: snapshot).isWaiting(in: snapshot.state)
    }
  }

  /// - Throws: ``WindowError`` if clients read too slowly to send them further pages.
  private func page(
    _ request: PageRequest,
    at requested: any Location<State>
  ) throws -> PageAnswer {
    let snapshot = self.snapshot()
    let location = self.normalize(requested, in: snapshot)
    let isMissing = request.refused == nil && request.route.isMissing(from: requested, in: location)
    if request.refused == nil, isMissing == false,
      location.query != requested.query
        || request.route.items != location.path.items(of: location.query)
    {
      return .redirect(location.url)
    }
    let draft = location.submissions.lazy
      .compactMap { self.drafts[$0, of: request.session] }.first
    let (composition, _) = self.compose(location, in: snapshot)
    self.held.hold(composition)
    let renders = composition.regions.map(\.rendered)
    guard let held = self.context.unread.hold(renders, for: request.requester.network) else {
      throw WindowError(
        code: .tooManyPlaces,
        message: "The server is sending too many pages at the moment. Try again in a moment."
      )
    }
    let writer = PageWriter(
      composition: composition,
      context: PageContext(
        path: request.route.page,
        query: location.query,
        overlay: location.overlay,
        makeToken: request.makeToken,
        refused: request.refused.map(self.withoutSecrets) ?? draft,
        held: held,
        checkParameter: self.parameterCheck(of: request.route.page)
      )
    )
    return .content(
      PageContent(
        path: request.route.page,
        title: composition.title,
        assets: self.context.assets[request.route.page] ?? [],
        version: snapshot.version,
        writer: writer,
        isWaiting: location.isWaiting(in: snapshot.state),
        isMissing: isMissing,
        wasDeleted: isMissing && requested.wasDeleted(in: snapshot.state),
        toast: request.session.flatMap {
          self.toast(for: $0, request.receipt, at: location, in: snapshot.state)
            ?? self.toast(for: $0, writer.showsRefusal ? nil : request.refused, in: composition)
        }
      )
    )
  }

  /// Reports links and forms for the local state of another page, which would do nothing on this one.
  private nonisolated func parameterCheck(of path: PagePath) -> @Sendable (String) -> Void {
    let page = self.page(at: path)
    let (known, counters) = (page.parameterNames, self.context.counters)
    return { name in
      guard known.contains(name) == false else { return }
      counters.report(
        "a link or form on \(path.text) sets \u{201C}\(name)\u{201D}, which is no parameter of the "
          + "page's \(page.localStateName), so it does nothing there")
    }
  }

  /// The toast of a page: why a submission was refused if no form shows it, or else the result of
  /// an earlier submission.
  private func toast(
    for session: Identifier,
    _ unshown: RefusedSubmission?,
    in composition: Composition
  ) -> ToastContent? {
    guard let unshown, unshown.refusal.message.isEmpty == false else {
      return self.toasts.take(for: session).flatMap { composition.tells($0) ? nil : $0 }
    }
    return self.toasts.content(refusing: unshown, to: session)
  }

  /// The toast of the post that a receipt is of, to this server or another.
  private func toast(
    for session: Identifier,
    _ receipt: PostReceipt?,
    at location: any Location<State>,
    in state: State
  ) -> ToastContent? {
    guard let name = receipt?.submission else { return nil }
    let toast = self.toasts.toast(of: name, session) ?? self.sharedToasts[name, of: session]
    return toast.map { ToastContent(name, $0, location.url, state) }
  }

  /// Dispatches the actions of a page that appears. A refusal means that nothing had to be done.
  nonisolated func appear(_ location: any Location<State>) async {
    await self.dispatch(location.appear(in: self.source.snapshot().state), at: location)
  }

  nonisolated func dispatch(_ actions: [State.Action], at location: any Location<State>) async {
    guard actions.isEmpty == false else { return }
    await MainActor.run {
      for action in actions {
        do {
          try ActionOrigin.$current.withValue(.page(path: location.path.text)) {
            try self.source.dispatch(action: action)
          }
        } catch {
          self.logUnlessRefusal(error, at: location.path, form: nil)
        }
      }
    }
  }

  /// Logs why an action was not reduced, unless the error is a refusal, which the product itself
  /// reports.
  ///
  /// - Parameters:
  ///   - error: What the form or the reducer threw.
  ///   - path: The page that the action came from.
  ///   - form: The form that the action came from; `nil` if it was dispatched as the page appeared.
  nonisolated func logUnlessRefusal(_ error: any Error, at path: PagePath, form: String?) {
    guard error is any RefusalConvertible == false else { return }
    self.configuration.logger.error(
      "An action was refused for an unexpected reason",
      metadata: [
        "path": "\(path.text)", "form": "\(form ?? "none")", "error": "\(error)",
        "type": "\(type(of: error))",
      ]
    )
  }
}
