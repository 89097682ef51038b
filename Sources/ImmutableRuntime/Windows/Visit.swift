package import ImmutableUI

/// Something that a visitor did: what recorders are told.
package struct Visit: Sendable {
  package enum Event: Sendable {
    /// A page was requested, or a window has joined or navigated.
    case shows
    /// A form was posted.
    ///
    /// - Parameters:
    ///   - form: The form's name.
    ///   - refusal: What the visitor was told; `nil` if it was accepted.
    case posts(form: String, refusal: String?)
  }

  package let session: Identifier
  /// `nil` for a page that is not live yet, or never is.
  package let window: Identifier?
  /// Path and query of the page.
  package let url: String
  package let environment: WindowEnvironment
  /// The newest version then; that of the action of a form that was accepted.
  package let version: UInt64
  package let event: Event

  package init(
    session: Identifier,
    window: Identifier?,
    url: String,
    environment: WindowEnvironment,
    version: UInt64,
    event: Event
  ) {
    self.session = session
    self.window = window
    self.url = url
    self.environment = environment
    self.version = version
    self.event = event
  }
}

extension WindowGroup {
  /// Calls a closure with everything that visitors do from now on, but for what they do with the pages
  /// of one product. It must be quick.
  package func recordVisits(
    except product: String,
    _ body: @escaping @Sendable (Visit) -> Void
  ) {
    self.visits.add { [weak self] visit in
      guard self?.product(of: visit.url) != product else { return }
      body(visit)
    }
  }

  /// Whether somebody records what visitors do.
  package var recordsVisits: Bool { self.visits.isEmpty == false }

  /// Tells recorders of a visit.
  ///
  /// - Parameter version: The newest if it is `nil`.
  func note(
    _ event: Visit.Event,
    by session: Identifier?,
    in window: Identifier?,
    at url: @autoclosure () -> String,
    _ environment: WindowEnvironment,
    version: UInt64? = nil
  ) {
    self.visits.tell {
      session.map {
        Visit(
          session: $0,
          window: window,
          url: url(),
          environment: environment,
          version: version ?? self.version,
          event: event
        )
      }
    }
  }
}
