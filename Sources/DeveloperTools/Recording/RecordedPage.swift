import Foundation
import ImmutableData
import ImmutableRuntime
import ImmutableUI

/// A change of the content that windows were sent.
struct RecordedPage: Codable {
  /// The content that windows show from now on.
  struct Beginning: Codable {
    let url: String
    let timeZone: String
    let date: Date
    /// `nil` if nobody was known.
    let visitor: Visitor?

    init(_ url: String, _ environment: WindowEnvironment) {
      self.url = url
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

  /// The number of the place.
  let place: Int
  /// The version of the shown state.
  let version: UInt64
  /// `nil` if windows already showed the place before.
  let begins: Beginning?
  /// The tags of the changed regions, by name, with `nil` for regions that are gone. Empty if the
  /// recording must not contain the content. `nil` if no window shows the place any more.
  let tags: [String: String?]?

  private enum CodingKeys: CodingKey {
    case place, version, begins, tags
  }

  /// The line without the content of the page.
  ///
  /// - Parameter redact: Removes what is personal from a URL and its environment.
  /// - Returns: `nil` if nothing else remains.
  init?(_ page: ShownPage, redact: (String, WindowEnvironment) -> (String, WindowEnvironment)) {
    switch page.change {
    case .begins(let environment):
      let (url, environment) = redact(page.url, environment)
      self.init(
        place: page.place, version: page.version, begins: Beginning(url, environment), tags: [:])
    case .goesOn: return nil
    case .ends: self.init(place: page.place, version: page.version, tags: nil)
    }
  }

  init(_ page: ShownPage) {
    self.place = page.place
    self.version = page.version
    self.begins =
      if case .begins(let environment) = page.change {
        Beginning(page.url, environment)
      } else {
        nil
      }
    self.tags =
      if case .ends = page.change {
        nil
      } else {
        page.regions.mapValues { $0?.rendered.tag.text }
      }
  }

  init(place: Int, version: UInt64, begins: Beginning? = nil, tags: [String: String?]?) {
    self.place = place
    self.version = version
    self.begins = begins
    self.tags = tags
  }

  /// The same change at this version or a newer one. The product's own last action may be older.
  func since(_ version: UInt64) -> Self {
    Self(
      place: self.place, version: max(version, self.version), begins: self.begins, tags: self.tags)
  }

  /// The content that windows show after this change, as a change that begins a place.
  ///
  /// - Parameter old: The content that they showed before; `nil` if the place begins.
  /// - Returns: `nil` if no window shows it any more.
  func following(_ old: Self?) -> Self? {
    guard let tags = self.tags, let begins = self.begins ?? old?.begins else { return nil }
    var shown = (self.begins == nil ? old?.tags : nil) ?? [:]
    for (name, tag) in tags { shown[name] = tag.map(Optional.some) }
    return Self(place: self.place, version: self.version, begins: begins, tags: shown)
  }
}
