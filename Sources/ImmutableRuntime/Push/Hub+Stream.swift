import ImmutableUI

extension Hub {
  /// One stream, and what it has been sent.
  final class Stream {
    let sink: any StreamSink
    /// One for each distinct place that the browser's tabs show: usually few, and at most its
    /// windows.
    private(set) var memberships: [Membership] = []
    /// How many of the first of them are known to be current.
    private var currentCount = 0
    /// Windows that must be shown again, with the tags of what they have. Bounded by the stream's
    /// windows.
    var outdated: [Identifier: [String: String]] = [:]
    /// Windows that are about to be shown again. Until then, toasts and versions must not tell them of
    /// what they do not show yet. Bounded by the stream's windows.
    private var awaited: Set<Identifier> = []
    /// The versions that windows have to receive an event for. Bounded by the stream's windows.
    private var owedVersions: [Identifier: UInt64] = [:]
    /// Toasts and refusals for its windows, to be sent when it has caught up, oldest first. Bounded by
    /// ``toastLimit``: the oldest are dropped.
    private var toasts: [StreamEvent] = []
    private static let toastLimit = 16 << 10
    private(set) var behindSince: ContinuousClock.Instant?
    /// What its client had not taken at the last check of ``isTaking()``.
    private var unsentBytes = 0

    init(sink: any StreamSink) {
      self.sink = sink
    }

    var isWritable: Bool {
      self.behindSince == nil && self.sink.isWritable
    }
  }

  /// A stream's windows at one place. It corresponds to a ``Topic/Subscriber`` of the place.
  struct Membership {
    let topic: Topic
    /// The stream's index in the topic's subscribers.
    var position: Int
    var windows: [Identifier]
    /// The composition that a slow stream was last sent. The reference is weak, because otherwise a
    /// thousand slow streams could each keep a composition alive. It becomes `nil` when the
    /// composition is neither the newest at a place nor held (``HeldRenders``); the stream is then
    /// sent everything.
    weak var received: Composition?

    /// Whether the stream has the newest content of the place.
    var isCurrent: Bool { self.topic.subscribers[self.position].isCurrent }
  }
}

// Falling behind and catching up.
extension Hub.Stream {
  /// Whether its client has taken a part of what it was sent since the last call. An event may take
  /// long to arrive.
  func isTaking() -> Bool {
    let before = self.unsentBytes
    self.unsentBytes = self.sink.unsentBytes
    return self.unsentBytes < before
  }

  /// It has accepted something, so it counts as behind from now on.
  func stayBehind(_ now: ContinuousClock.Instant) {
    self.behindSince = now
  }

  /// Places that were already current again count as behind again.
  ///
  /// - Complexity: O(p), p places of its windows.
  func fallBehind(_ now: ContinuousClock.Instant) {
    self.currentCount = 0
    if self.behindSince == nil { self.behindSince = now }
    for (index, membership) in self.memberships.enumerated() where membership.isCurrent {
      self.memberships[index].received = membership.topic.newest
      membership.topic.setCurrent(false, at: membership.position)
    }
  }

  /// Marks one of its places as current again; the caller then writes what it has missed.
  ///
  /// - Parameter now: The time from which it counts as behind, because it has just accepted
  ///   content.
  /// - Returns: The content of the place that it has been sent; `nil` if all places are current.
  /// - Complexity: O(1) on average, O(p) for all p places of its windows together.
  func catchUpNext(_ now: ContinuousClock.Instant) -> Hub.Membership? {
    guard self.behindSince != nil,
      let index = self.memberships[self.currentCount...].firstIndex(where: { !$0.isCurrent })
    else { return nil }
    self.currentCount = index + 1
    self.behindSince = now
    let membership = self.memberships[index]
    self.memberships[index].received = nil
    membership.topic.setCurrent(true, at: membership.position)
    return membership
  }

  /// - Returns: Whether it was behind, and all of its places are now current.
  func didCatchUp() -> Bool {
    guard self.behindSince != nil, self.memberships.allSatisfy(\.isCurrent) else { return false }
    self.behindSince = nil
    return true
  }

  var awaitsShows: Bool { self.awaited.isEmpty == false }

  /// Removes and returns the windows that must be shown again, with the tags of what they have.
  func takeOutdated() -> [Identifier: [String: String]] {
    defer { self.outdated = [:] }
    self.awaited.formUnion(self.outdated.keys)
    return self.outdated
  }

  /// A window is shown, or has left.
  func forgetOutdated(_ window: Identifier) {
    self.outdated[window] = nil
    self.awaited.remove(window)
  }

  /// Sends a toast or a refusal to one of its windows, now or when it has caught up.
  func tell(_ toast: StreamEvent, _ now: ContinuousClock.Instant) {
    if self.isWritable, self.awaitsShows == false { return self.sink.write(toast) }
    if self.isWritable == false { self.fallBehind(now) }
    self.toasts.append(toast)
    while self.toasts.reduce(0, { $0 + $1.bytes.count }) > Self.toastLimit {
      self.toasts.removeFirst()
    }
  }

  /// Tells a window that it has reached a version, now or when the stream has caught up.
  ///
  /// - Complexity: O(w), w windows of the stream.
  func tell(_ window: Identifier, _ version: UInt64, _ now: ContinuousClock.Instant) {
    if self.isWritable {
      self.tellUnlessKnown(window, version)
    } else {
      self.owedVersions[window] = max(self.owedVersions[window] ?? 0, version)
      self.fallBehind(now)
    }
  }

  /// Sends the versions that windows are owed. Call it when the stream has caught up.
  func tellOwedVersions() {
    let owed = self.owedVersions
    self.owedVersions = [:]
    for (window, version) in owed { self.tellUnlessKnown(window, version) }
  }

  /// Compares versions of the store of the window's product. Other tabs may show other products. A
  /// window that is about to be shown again gets a version that is at least as high with that.
  private func tellUnlessKnown(_ window: Identifier, _ version: UInt64) {
    guard self.awaited.contains(window) == false else { return }
    let shown = self.memberships.first { $0.windows.contains(window) }?.topic.version
    guard shown ?? 0 < version else { return }
    self.sink.write(EventWriter.version(version, window: window))
  }

  func forgetVersion(of window: Identifier) {
    self.owedVersions[window] = nil
  }

  var hasToasts: Bool { self.toasts.isEmpty == false }

  func takeToasts() -> [StreamEvent] {
    defer { self.toasts = [] }
    return self.toasts
  }

  func forgetReceived() {
    for index in self.memberships.indices {
      self.memberships[index].received = nil
    }
  }
}

// Memberships.
extension Hub.Stream {
  /// Puts a window at a place whose newest content it has been sent.
  func put(_ window: Identifier, in topic: Hub.Topic) {
    if let index = self.index(of: topic) {
      self.memberships[index].windows.append(window)
    } else {
      self.memberships.append(
        Hub.Membership(topic: topic, position: topic.add(self), windows: [window])
      )
    }
  }

  /// - Returns: The membership, if that was its last window.
  func remove(_ window: Identifier) -> Hub.Membership? {
    for (index, membership) in self.memberships.enumerated() {
      guard let position = membership.windows.firstIndex(of: window) else { continue }
      self.memberships[index].windows.remove(at: position)
      return self.memberships[index].windows.isEmpty ? self.removeMembership(at: index) : nil
    }
    return nil
  }

  func removeMembership(in topic: Hub.Topic) -> Hub.Membership? {
    self.index(of: topic).map(self.removeMembership(at:))
  }

  func removeMemberships() -> [Hub.Membership] {
    defer { (self.memberships, self.currentCount) = ([], 0) }
    return self.memberships
  }

  func didMove(to position: Int, in topic: Hub.Topic) {
    if let index = self.index(of: topic) {
      self.memberships[index].position = position
    }
  }

  private func removeMembership(at index: Int) -> Hub.Membership {
    if index < self.currentCount { self.currentCount -= 1 }
    return self.memberships.remove(at: index)
  }

  private func index(of topic: Hub.Topic) -> Int? {
    self.memberships.firstIndex { $0.topic === topic }
  }
}
