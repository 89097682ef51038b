import Foundation
import ImmutableRuntime
import ImmutableUI
import Synchronization

/// What a visitor did, for the log.
struct LoggedVisit: Sendable {
  /// The maximum length of a text from a browser, in characters.
  private static let textLimit = 300
  private static let urlLimit = 2_000

  let time: Date
  /// The product's name.
  let product: String
  let event: Visit.Event
  /// The path and query of the page.
  let url: String
  let environment: WindowEnvironment
  /// The name of the browser.
  let browser: String
  /// `nil` for a page that is not live yet, or never becomes live.
  let window: String?
  /// The newest version at that time; for an accepted form, the version of its action.
  let version: UInt64

  init(_ visit: Visit, at time: Date, product: String, browser: String) {
    self.time = time
    self.product = product
    self.event =
      if case .posts(let form, let refusal) = visit.event {
        .posts(
          form: form.shortened(to: Self.textLimit),
          refusal: refusal?.shortened(to: Self.textLimit))
      } else {
        visit.event
      }
    self.url = visit.url.shortened(to: Self.urlLimit)
    self.environment = visit.environment
    self.browser = browser
    self.window = visit.window?.text
    self.version = visit.version
  }

  /// - Parameters:
  ///   - visit: A visit of a recording.
  ///   - product: The name of the product's state.
  init(_ visit: RecordedVisit, _ product: String, _ environment: WindowEnvironment) {
    self.time = visit.time
    self.product = ProductDispatch.productName(of: product)
    self.event = visit.event
    self.url = visit.url.shortened(to: Self.urlLimit)
    self.environment = environment
    self.browser = visit.visitor
    self.window = visit.window
    self.version = visit.version
  }

  /// The text that developers read, before the URL.
  var words: String {
    switch self.event {
    case .opens: "opened"
    case .joins: "went live on"
    case .navigates: "navigated to"
    case .posts(let form, _): "posted \u{201C}\(form)\u{201D} to"
    }
  }

  /// Why the form was refused; `nil` if it was not.
  var refusal: String? { if case .posts(_, let refusal) = self.event { refusal } else { nil } }

  /// Roughly the memory that it takes, in bytes.
  var bytes: Int { self.event.bytes(at: self.url) }

  /// Whether it is a form that led to an action.
  var isAccepted: Bool { if case .posts(_, nil) = self.event { true } else { false } }

  var searchText: String {
    var words = [self.product, self.words, self.url, self.browser]
    if let window { words.append(window) }
    if let refusal { words.append("refused \(refusal)") }
    return words.joined(separator: " ")
  }
}

/// A visit in the log. It is a class for the same reasons as ``Entry``.
final class VisitEntry: Kept {
  static let countLimit = 1_000
  static let byteLimit = 1 << 20

  /// Its number. Visits are numbered consecutively.
  let id: Int
  let visit: LoggedVisit
  /// The number of the newest entry of its product at that time; without one, the number before the
  /// oldest entry.
  let entry: Int
  /// What the log finds it by, once somebody has searched. Bounded like the visit.
  private let searched = Mutex<SearchedText?>(nil)

  /// What the log finds it by has about the same texts again.
  var bytes: Int { 2 * self.visit.bytes }

  init(id: Int, visit: LoggedVisit, entry: Int) {
    self.id = id
    self.visit = visit
    self.entry = entry
  }

  /// Whether the log finds it by some words.
  func contains(all words: [SearchedText]) -> Bool {
    self.searched.contain(all: words) { self.visit.searchText }
  }
}

extension String {
  /// At most this number of characters of it.
  fileprivate func shortened(to limit: Int) -> String {
    // Characters take much longer to count.
    self.utf8.count <= limit ? self : String(self.prefix(limit))
  }
}
