import Foundation
import ImmutableData
import ImmutableRuntime
import ImmutableUI

/// Makes names that tell visitors and windows apart, as identifiers. They reveal nothing, because a
/// client that knows the id of a window or a session can impersonate it.
struct RecordedNames: Sendable {
  private let key: (UInt64, UInt64)

  /// Makes names with a new key.
  init() {
    self.key = (.random(in: 0...(.max)), .random(in: 0...(.max)))
  }

  func callAsFunction(_ identifier: Identifier) -> String {
    var hasher = TagHasher(key: self.key)
    hasher.combine(identifier.text)
    return hasher.finalize().text
  }
}

/// Something that a visitor did.
struct RecordedVisit: Codable {
  let time: Date
  /// Names that distinguish visitors and windows. They are made for each recording and identify
  /// nobody.
  let visitor: String
  /// `nil` for a page that is not live yet, or never becomes live.
  let window: String?
  /// The URL of the page.
  let url: String
  /// How the page was shown; `nil` in recordings of older releases.
  let shown: Shown?
  /// The version of the newest action at that time; for an accepted form, the version of its
  /// action.
  let version: UInt64
  /// The form that was posted; `nil` if a page was opened.
  let form: String?
  /// Whether the form was refused; `nil` if none was posted.
  let isRefused: Bool?
  /// Whether the window navigated to the page in place; otherwise `nil`.
  var isNavigation: Bool?

  /// The environment of a page.
  struct Shown: Codable {
    let timeZone: String
    let date: Date
    /// `nil` if nobody was known.
    let visitor: Visitor?

    init(_ environment: WindowEnvironment) {
      self.timeZone = environment.timeZone.identifier
      self.date = environment.date
      self.visitor = environment.visitor
    }

    var environment: WindowEnvironment {
      WindowEnvironment(
        timeZone: TimeZone(identifier: self.timeZone) ?? .gmt, date: self.date,
        visitor: self.visitor)
    }
  }

  /// - Parameters:
  ///   - url: Its URL, as it should be recorded.
  ///   - environment: Its environment, as it should be recorded.
  init(
    _ visit: Visit,
    url: String,
    environment: WindowEnvironment,
    time: Date,
    names: RecordedNames
  ) {
    self.time = time
    self.shown = Shown(environment)
    self.visitor = names(visit.session)
    self.window = visit.window.map { names($0) }
    self.url = url
    self.version = visit.version
    switch visit.event {
    case .opens, .joins: (self.form, self.isRefused) = (nil, nil)
    case .navigates: (self.form, self.isRefused, self.isNavigation) = (nil, nil, true)
    case .posts(let form, let refusal): (self.form, self.isRefused) = (form, refusal != nil)
    }
  }
}

extension RecordedVisit {
  /// What the visitor did.
  var event: Visit.Event {
    if let form {
      // The message may have contained what the visitor had entered.
      return .posts(form: form, refusal: self.isRefused == true ? "it was refused" : nil)
    }
    if self.isNavigation == true { return .navigates }
    return self.window == nil ? .opens : .joins
  }
}

/// The line of a visit.
struct VisitLine: Codable {
  let visit: RecordedVisit
}
