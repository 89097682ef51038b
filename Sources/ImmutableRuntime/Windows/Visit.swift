package import ImmutableUI

/// Something that a visitor did, for recorders.
package struct Visit: Sendable {
  package enum Event: Sendable {
    /// A page was requested.
    case opens
    /// A window has joined: its page is live now, or again.
    case joins
    /// A window has navigated in place.
    case navigates
    /// A form was posted.
    ///
    /// - Parameters:
    ///   - form: The form's name, or ``unknownForm``.
    ///   - refusal: The refusal that the visitor was shown; `nil` if the form was accepted.
    case posts(form: String, refusal: String?)

    /// Instead of the name of a form that the product does not have, because it can be any text.
    static let unknownForm = "unknown"

    package var isPosted: Bool { if case .posts = self { true } else { false } }

    /// Roughly the memory that a visit with this takes, in bytes.
    package func bytes(at url: String) -> Int {
      let bytes = 256 + url.utf8.count
      guard case .posts(let form, let refusal) = self else { return bytes }
      return bytes + form.utf8.count + (refusal?.utf8.count ?? 0)
    }
  }

  /// The name of the page's product; `nil` if there is no such page.
  package let product: String?
  package let session: Identifier
  /// `nil` for a page that is not live yet, or never becomes live.
  package let window: Identifier?
  /// Path and query of the page.
  package let url: String
  package let environment: WindowEnvironment
  /// The newest version at that time; for an accepted form, the version of its action.
  package let version: UInt64
  package let event: Event

  /// Roughly the memory that it takes, in bytes.
  package var bytes: Int { self.event.bytes(at: self.url) }

  package init(
    product: String?,
    session: Identifier,
    window: Identifier?,
    url: String,
    environment: WindowEnvironment,
    version: UInt64,
    event: Event
  ) {
    self.product = product
    self.session = session
    self.window = window
    self.url = url
    self.environment = environment
    self.version = version
    self.event = event
  }
}

extension WindowGroup {
  /// Calls a closure with everything that visitors do from now on, except on the pages of one
  /// product. The closure must be fast.
  ///
  /// - Parameter isReplayed: Whether the visits are recorded to be replayed.
  package func recordVisits(
    except product: String,
    isReplayed: Bool = true,
    _ body: @escaping @Sendable (Visit) -> Void
  ) {
    (isReplayed ? self.replayedVisits : self.shownVisits).add { visit in
      if visit.product != product { body(visit) }
    }
  }

  /// Whether visits are being recorded to be replayed.
  package var recordsVisits: Bool { self.replayedVisits.isEmpty == false }

  /// Tells recorders of a visit.
  ///
  /// - Parameter version: `nil` for the newest version of the root of the page's store.
  func note(
    _ event: @autoclosure () -> Visit.Event,
    by session: Identifier?,
    in window: Identifier?,
    of product: any AnyProduct,
    at url: @autoclosure () -> String,
    _ environment: WindowEnvironment,
    version: UInt64? = nil
  ) {
    for followers in [self.replayedVisits, self.shownVisits] {
      followers.tell {
        session.map { session in
          Visit(
            product: product.name,
            session: session,
            window: window,
            url: url(),
            environment: environment,
            version: version ?? product.rootVersion,
            event: event()
          )
        }
      }
    }
  }
}
