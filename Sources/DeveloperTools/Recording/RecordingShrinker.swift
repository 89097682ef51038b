public import Foundation
import ImmutableUI

/// Finds the smallest part of a recording for which two builds still differ.
///
/// Source: Zeller and Hildebrandt, Simplifying and isolating failure-inducing input (ddmin), IEEE
/// Transactions on Software Engineering 28 (2002).
public struct RecordingShrinker {
  /// How a build plays a recording.
  public typealias Player = (URL) -> BuildComparison.Build

  /// The line numbers of an action, or of everything that windows showed at a place.
  private typealias Item = [Int]

  /// The recording without upcasting, because the old build has to read the rest.
  private let recording: Recording<JSONValue>
  let upcasters: [Upcaster]
  let old: Player
  let new: Player

  /// - Parameters:
  ///   - url: The recording.
  ///   - old: The build whose results are right.
  ///   - new: The build to compare.
  ///   - upcasters: The upcasters of the program for which a test is written.
  /// - Throws: ``RecordingError`` if it is not a recording.
  public init(
    _ url: URL,
    old: @escaping Player,
    new: @escaping Player,
    upcasters: [Upcaster] = []
  ) throws {
    self.recording = try Recording(url, nil)
    self.upcasters = upcasters
    self.old = old
    self.new = new
  }

  /// - Parameter target: The new file to write. It contains the rest as the old build would have
  ///   recorded it, so it replays with the old build but not with the new one. Only its owner can read
  ///   it, because it has the texts of the recording.
  /// - Returns: The number of remaining actions.
  /// - Throws: ``RecordingError`` if a build cannot be run, if there is no difference, or if the file
  ///   cannot be written or already exists.
  /// - Complexity: At most O(n²) comparisons, n actions and pages; about O(k log n) when k are left.
  public func shrink(to target: URL) throws -> Int {
    let draft = try UnnamedFile()
    func write(_ items: [Item]) throws {
      try draft.write(
        self.numbers(of: items).map(self.recording.data).reduce(into: Data(), +=))
    }
    func firstDifference(_ items: [Item]) throws -> BuildComparison.Difference? {
      try write(items)
      return try BuildComparison(self.old(draft.url), self.new(draft.url)).firstDifference()
    }
    let items = try self.items()
    guard let first = try firstDifference(items) else {
      throw RecordingError("There is no difference.")
    }
    // Nothing that comes later makes a difference.
    let written = self.numbers(of: items)
    let last = written[first.line - 1]
    let least = try self.least(of: items.compactMap { $0.through(last) }) {
      try firstDifference($0) != nil
    }
    try write(least)
    let (lines, count) = try self.record(draft.url)
    try OwnerFile.write(lines.reduce(into: Data(), +=), to: target)
    return count
  }

  private func least(of items: [Item], _ differs: ([Item]) throws -> Bool) throws -> [Item] {
    var items = items
    var parts = 2
    while items.isEmpty == false {
      let size = (items.count + parts - 1) / parts
      let smaller = try stride(from: 0, to: items.count, by: size).lazy
        .map { Array(items[..<$0] + items[min($0 + size, items.count)...]) }
        .first { try differs($0) }
      if let smaller {
        items = smaller
        parts = max(parts - 1, 2)
      } else if size == 1 {
        break
      } else {
        parts = min(2 * parts, items.count)
      }
    }
    return items
  }

  private func items() throws -> [Item] {
    var actions: [Item] = []
    var places: [Int: Item] = [:]
    for number in self.recording.numbers {
      switch try self.recording.line(number) {
      case .action: actions.append([number])
      case .page(let page): places[page.place, default: []].append(number)
      // The first checkpoint stays. The states of the others would not match a shorter recording.
      case .checkpoint: break
      // They make no difference.
      case .visit, .piece: break
      }
    }
    return actions + places.sorted { $0.key < $1.key }.map(\.value)
  }

  /// The numbers of the lines that are written for some items, in their order.
  private func numbers(of items: [Item]) -> [Int] {
    [1] + (self.recording.firstCheckpoint.map { [$0] } ?? []) + items.flatMap(\.self).sorted()
  }

  /// Replaces the digests, refusals and tags, which belong to the longer recording.
  ///
  /// - Returns: The lines, with the number of actions.
  private func record(_ url: URL) throws -> (lines: [Data], actions: Int) {
    let part = try Recording<JSONValue>(url, nil)
    let output = try PlayedOutput(self.old(url))
    defer { output.end() }
    var lines: [Data] = []
    var tags = RecordedTags()
    var actions = 0
    while let played = try output.next() {
      guard played.line > 1 else {
        lines.append(
          try RecordingFormat.encode(
            RecordingHeader(
              format: part.header.format, digest: played.digest, form: part.header.form)))
        if let number = part.firstCheckpoint { lines.append(try part.data(number)) }
        continue
      }
      var beginning: (place: Int, RecordedPage.Beginning)?
      switch try part.line(played.line) {
      case .action(var action):
        action.digest = played.digest
        action.refusal = played.refusal
        lines.append(try RecordingFormat.encode(action))
        actions += 1
      case .page(let page):
        if page.tags == nil { lines.append(try RecordingFormat.encode(page)) }
        beginning = page.begins.map { (page.place, $0) }
      case .checkpoint, .visit, .piece: break
      }
      // Older formats have no pieces, and the old build may not know them.
      for content in played.regions.compactMap(\.content)
      where part.header.format >= RecordingFormat.firstWithPieces {
        guard let tag = Tag(text: content.tag), tags.insert(tag) else { continue }
        lines.append(try RecordingFormat.encode(RecordedPiece(tag, html: content.html.utf8)))
      }
      for (place, regions) in Dictionary(grouping: played.regions, by: \.place)
        .sorted(by: { $0.key < $1.key })
      {
        let tags = regions.map { ($0.name, $0.content?.tag) }
        let page = RecordedPage(
          place: place,
          version: played.version,
          begins: beginning?.place == place ? beginning?.1 : nil,
          tags: Dictionary(tags) { first, _ in first }
        )
        lines.append(try RecordingFormat.encode(page))
      }
    }
    return (lines, actions)
  }
}

extension [Int] {
  /// The numbers up to another one; `nil` if there are none.
  fileprivate func through(_ last: Int) -> Self? {
    let numbers = self.filter { $0 <= last }
    return numbers.isEmpty ? nil : numbers
  }
}
