public import Foundation
import ImmutableRuntime
import ImmutableUI

/// A build's result for one line of a recording: a line of JSON in the output of
/// ``Replay/play(_:_:)``.
struct PlayedLine: Codable, Hashable {
  /// The number of the line in the recording.
  let line: Int
  let version: UInt64
  /// The action's name, or the URL of a page that windows show from this line on.
  let subject: String
  /// The digest of the state after it.
  let digest: String
  /// `nil` if no action was refused.
  let refusal: String?
  /// The changed regions of pages.
  let regions: [PlayedRegion]
  /// The effects that the action starts, as lines; `nil` if the build does not say, like builds of
  /// older releases.
  let effects: [String]?
}

/// The new content of a region of a page.
struct PlayedRegion: Codable, Hashable {
  /// The number of the page.
  let place: Int
  let url: String
  let name: String
  /// `nil` if the region is gone.
  let content: Content?

  struct Content: Codable, Hashable {
    let tag: String
    let html: String
  }

  var title: String { "\(self.url), region \(self.name) (\(self.place))" }
}

extension Replay {
  /// Plays a recording again and writes the result of each line: the digest of the state, or the
  /// refusal, the effects, which do not run, and the changed regions of all pages that windows
  /// showed at that time.
  /// ``BuildComparison`` compares the output of two builds.
  ///
  /// - Parameters:
  ///   - url: The recording.
  ///   - write: Receives lines of JSON.
  /// - Throws: ``RecordingError`` if it is not a recording, or has an action that this program does
  ///   not know; otherwise the errors of `write`.
  public nonisolated(nonsending) func play(
    _ url: URL,
    _ write: (Data) throws -> Void
  ) async throws {
    let recording = try Recording<Action>(url, self.upcasters)
    func print(_ line: PlayedLine) throws { try write(try RecordingFormat.encode(line)) }
    var states = try StateFold(self, recording)
    var pages = PlayedPages(self.windows)
    try print(
      PlayedLine(
        line: 1, version: 0, subject: "", digest: states.digest.text, refusal: nil, regions: [],
        effects: nil))
    for number in recording.numbers {
      switch try recording.line(number) {
      case .action(let recorded):
        let old = states.newest
        let result = states.reduce(recorded)
        let refusal = if case .failure(let error) = result { "\(error)" } else { String?.none }
        let effects =
          refusal == nil ? await self.effects?(old, states.newest, recorded.action) : []
        try print(
          PlayedLine(
            line: number,
            version: recorded.version,
            subject: ActionName(recorded.action).cases,
            digest: states.digest.text,
            refusal: refusal,
            regions: refusal == nil ? pages.update(from: old, to: states.newest) : [],
            effects: effects
          ))
      case .visit, .piece: continue
      case .checkpoint:
        // The states of two builds are compared, so both continue with their own states.
        continue
      case .page(let page):
        let regions = pages.put(page, in: states.newest)
        try print(
          PlayedLine(
            line: number,
            version: states.version,
            subject: page.begins?.url ?? "",
            digest: states.digest.text,
            refusal: nil,
            regions: regions,
            effects: self.effects == nil ? nil : []
          ))
      }
    }
  }
}

/// The pages that windows showed, in the newest state.
private struct PlayedPages {
  private struct Place {
    let beginning: RecordedPage.Beginning
    var regions: [String: PlayedRegion.Content] = [:]
  }

  /// After so many states, what was rendered is discarded, because much of it is no longer shown.
  private static let moveLimit = 256

  private let windows: WindowGroup?
  private var places: [Int: Place] = [:]
  private var past: SuccessivePages?

  init(_ windows: WindowGroup?) {
    self.windows = windows
    self.past = windows.map { SuccessivePages($0, moveLimit: Self.moveLimit) }
  }

  /// - Returns: The regions that have changed.
  mutating func put(_ page: RecordedPage, in state: any Sendable) -> [PlayedRegion] {
    guard page.tags != nil else {
      self.places[page.place] = nil
      return []
    }
    guard let beginning = page.begins else { return [] }
    self.places[page.place] = Place(beginning: beginning)
    return self.render(page.place, in: self.past?.move(to: state))
  }

  /// Renders the pages of the products whose state has changed.
  ///
  /// - Returns: The regions that have changed.
  mutating func update(from old: any Sendable, to new: any Sendable) -> [PlayedRegion] {
    var changed: [String: Bool] = [:]
    var regions: [PlayedRegion] = []
    let past = self.past?.move(to: new)
    for (number, place) in self.places.sorted(by: { $0.key < $1.key }) {
      guard let product = self.windows?.product(of: place.beginning.url) else { continue }
      let isChanged = changed[product] ?? self.isChanged(product, old, new)
      changed[product] = isChanged
      if isChanged { regions += self.render(number, in: past) }
    }
    return regions
  }

  private func isChanged(_ product: String, _ old: any Sendable, _ new: any Sendable) -> Bool {
    guard let before = self.windows?.part(of: product, in: old),
      let after = self.windows?.part(of: product, in: new)
    else { return true }
    var isChanged = false
    StateComparison.visit(before, after) { _, _, _ in isChanged = true }
    return isChanged
  }

  private mutating func render(_ number: Int, in past: PastPages?) -> [PlayedRegion] {
    guard let place = self.places[number] else { return [] }
    let url = place.beginning.url
    let rendered = past?.regions(url, environment: place.beginning.environment)
    let contents = (rendered ?? []).map {
      ($0.name, PlayedRegion.Content(tag: $0.tag.text, html: $0.html))
    }
    let new = Dictionary(contents) { first, _ in first }
    self.places[number]?.regions = new
    return Set(new.keys).union(place.regions.keys).sorted()
      .filter { new[$0] != place.regions[$0] }
      .map { PlayedRegion(place: number, url: url, name: $0, content: new[$0]) }
  }
}
