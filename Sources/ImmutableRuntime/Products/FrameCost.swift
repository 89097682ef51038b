package import ImmutableUI

/// The cost of a frame: how long each part of it took.
package struct FrameCost: Hashable, Sendable {
  package enum Phase: String, CaseIterable, Sendable {
    /// The reducer, which runs before the frame.
    case reduce
    case select
    case render
    case difference
    /// Making events from the differences, and handing them over to the streams.
    case write
  }

  /// The subject of a part: what the time was spent on.
  package struct Subject: Hashable, Sendable {
    package let phase: Phase
    /// The path of the page; `nil` if it was done for several, or for one that is no longer shown.
    package var page: String?
    /// The name of the region; `nil` if it was done for several, or for one that is no longer shown.
    package var region: String?
    /// The name of the action, the selector or the region's component, if it has one.
    package var name: String?
    /// Where a selector is declared: file and line.
    package var position: String?

    package init(
      _ phase: Phase,
      page: String? = nil,
      region: String? = nil,
      name: String? = nil,
      position: String? = nil
    ) {
      self.phase = phase
      self.page = page
      self.region = region
      self.name = name
      self.position = position
    }
  }

  /// The work for one subject, without work for other subjects that it contains.
  package struct Part: Hashable, Sendable {
    package let subject: Subject
    package var runs = 0
    /// The number of runs of a selector that changed its output.
    package var changes = 0
    package var duration = Duration.zero
    /// The rows that a selector of a table went through; `nil` for all other work.
    package var rows: FrameTimes.RowCounts?

    package init(_ subject: Subject) {
      self.subject = subject
    }
  }

  /// The name of the product's state type.
  package let product: String
  /// The version of the previous frame; this frame shows the actions since then.
  package let since: UInt64
  package let version: UInt64
  /// The number of places that were sent something.
  package let places: Int
  /// The size of their events, each place counted once.
  package let bytes: Int
  /// The total, including work that belongs to no part.
  package let duration: Duration
  /// By subject.
  package let parts: [Part]

  package init(
    product: String,
    since: UInt64,
    version: UInt64,
    places: Int,
    bytes: Int,
    duration: Duration,
    parts: [Part]
  ) {
    self.product = product
    self.since = since
    self.version = version
    self.places = places
    self.bytes = bytes
    self.duration = duration
    self.parts = parts
  }
}
