import ImmutableUI

extension Hub {
  /// One stream, and what it has been sent.
  final class Stream {
    let sink: any StreamSink
    /// Few: one subscription for each distinct place that the browser's tabs show.
    private(set) var subscriptions: [Subscription] = []
    /// Windows that must be shown again, with the tags of what they have. Bounded by the stream's
    /// windows.
    var outdated: [Identifier: [String: String]] = [:]
    /// The versions that windows have to receive an event for. Bounded by the stream's windows.
    private var owedVersions: [Identifier: UInt64] = [:]
    /// Toasts for its windows, to be sent when it has caught up, oldest first. Bounded by
    /// ``toastLimit``: the oldest are dropped.
    private var toasts: [StreamEvent] = []
    private static let toastLimit = 16 << 10
    private(set) var behindSince: ContinuousClock.Instant?

    init(sink: any StreamSink) {
      self.sink = sink
    }

    var isWritable: Bool {
      self.behindSince == nil && self.sink.isWritable
    }
  }

  /// A stream's windows at one place. It corresponds to a ``Topic/Subscriber`` of the place.
  struct Subscription {
    let topic: Topic
    /// The stream's index in the topic's subscribers.
    var position: Int
    var windows: [Identifier]
    /// The composition that a slow stream was last sent. The reference is weak, because otherwise a
    /// thousand slow streams could each keep a composition alive. It becomes `nil` when the
    /// composition is
    /// neither the newest at a place nor held (``HeldRenders``); the stream is then sent
    /// everything.
    weak var received: Composition?

    /// Whether the stream has the newest content of the place.
    var isCurrent: Bool { self.topic.subscribers[self.position].isCurrent }
  }
}

// Falling behind and catching up.
extension Hub.Stream {
  /// Places that were already current again count as behind again.
  ///
  /// - Complexity: O(p), p places of its windows.
  func fallBehind(_ now: ContinuousClock.Instant) {
    if self.behindSince == nil { self.behindSince = now }
    for (index, subscription) in self.subscriptions.enumerated() where subscription.isCurrent {
      self.subscriptions[index].received = subscription.topic.newest
      subscription.topic.setCurrent(false, at: subscription.position)
    }
  }

  /// Marks one of its places as current again; the caller then writes what it has missed.
  ///
  /// - Parameter now: The time from which it counts as behind, because it has just accepted
  ///   content.
  /// - Returns: The content of the place that it has been sent; `nil` if all places are current.
  /// - Complexity: O(p), p places of its windows.
  func catchUpNext(_ now: ContinuousClock.Instant) -> Hub.Subscription? {
    guard self.behindSince != nil,
      let index = self.subscriptions.firstIndex(where: { $0.isCurrent == false })
    else { return nil }
    self.behindSince = now
    let subscription = self.subscriptions[index]
    self.subscriptions[index].received = nil
    subscription.topic.setCurrent(true, at: subscription.position)
    return subscription
  }

  /// - Returns: Whether it was behind, and all of its places are now current.
  func didCatchUp() -> Bool {
    guard self.behindSince != nil, self.subscriptions.allSatisfy(\.isCurrent) else { return false }
    self.behindSince = nil
    return true
  }

  /// Sends a toast to one of its windows, now or when it has caught up.
  func tell(_ toast: StreamEvent, _ now: ContinuousClock.Instant) {
    guard self.isWritable == false else { return self.sink.write(toast) }
    self.fallBehind(now)
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

  /// Compares versions of the store of the window's product. Other tabs may show other products.
  private func tellUnlessKnown(_ window: Identifier, _ version: UInt64) {
    let shown = self.subscriptions.first { $0.windows.contains(window) }?.topic.version
    guard shown ?? 0 < version else { return }
    self.sink.write(EventWriter.version(version, window: window))
  }

  func forgetVersion(of window: Identifier) {
    self.owedVersions[window] = nil
  }

  func takeToasts() -> [StreamEvent] {
    defer { self.toasts = [] }
    return self.toasts
  }

  func forgetReceived() {
    for index in self.subscriptions.indices {
      self.subscriptions[index].received = nil
    }
  }
}

// Subscriptions.
extension Hub.Stream {
  /// Puts a window at a place whose newest content it has been sent.
  func put(_ window: Identifier, in topic: Hub.Topic) {
    if let index = self.index(of: topic) {
      self.subscriptions[index].windows.append(window)
    } else {
      self.subscriptions.append(
        Hub.Subscription(topic: topic, position: topic.add(self), windows: [window])
      )
    }
  }

  /// - Returns: The subscription, if that was its last window.
  func remove(_ window: Identifier) -> Hub.Subscription? {
    for (index, subscription) in self.subscriptions.enumerated() {
      guard let position = subscription.windows.firstIndex(of: window) else { continue }
      self.subscriptions[index].windows.remove(at: position)
      return self.subscriptions[index].windows.isEmpty ? self.removeSubscription(at: index) : nil
    }
    return nil
  }

  func removeSubscription(in topic: Hub.Topic) -> Hub.Subscription? {
    self.index(of: topic).map(self.removeSubscription(at:))
  }

  func removeSubscriptions() -> [Hub.Subscription] {
    defer { self.subscriptions = [] }
    return self.subscriptions
  }

  func didMove(to position: Int, in topic: Hub.Topic) {
    if let index = self.index(of: topic) {
      self.subscriptions[index].position = position
    }
  }

  private func removeSubscription(at index: Int) -> Hub.Subscription {
    return self.subscriptions.remove(at: index)
  }

  private func index(of topic: Hub.Topic) -> Int? {
    self.subscriptions.firstIndex { $0.topic === topic }
  }
}
