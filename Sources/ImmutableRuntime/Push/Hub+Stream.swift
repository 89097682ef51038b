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
    var owesVersion: UInt64?
    /// What its windows are to be told when it has caught up, oldest first. Bounded by
    /// ``toastLimit``: the oldest are forgotten.
    private var toasts: [StreamEvent] = []
    private static let toastLimit = 16 << 10
    private(set) var behindSince: ContinuousClock.Instant?
    /// The version of the newest event that was not a frame of one of its places.
    private var ownVersion: UInt64

    init(sink: any StreamSink, version: UInt64) {
      self.sink = sink
      self.ownVersion = version
    }

    /// The version of the newest event that it was sent.
    var version: UInt64 {
      guard self.behindSince == nil else { return self.ownVersion }
      return self.subscriptions.reduce(self.ownVersion) { max($0, $1.topic.version) }
    }

    var isWritable: Bool {
      self.behindSince == nil && self.sink.isWritable
    }

    func write(_ event: StreamEvent, _ version: UInt64) {
      self.sink.write(event)
      self.ownVersion = max(self.ownVersion, version)
    }
  }

  /// A stream's windows at one place. It corresponds to a ``Topic/Subscriber`` of the place.
  struct Subscription {
    let topic: Topic
    /// The stream's index in the topic's subscribers.
    var position: Int
    var windows: [Identifier]
    /// What a slow stream was last sent. The reference is weak, because a thousand slow streams
    /// could otherwise keep a composition each alive. It becomes `nil` when the composition is
    /// neither the newest at a place nor held (``HeldRenders``); the stream is then sent
    /// everything.
    weak var received: Composition?

    /// Whether the stream has the newest content of the place.
    var isCurrent: Bool { self.topic.subscribers[self.position].isCurrent }
  }
}

// Behind, and current again.
extension Hub.Stream {
  /// Some of its places may be current again: then they are no longer.
  ///
  /// - Complexity: O(p), p places of its windows.
  func fallBehind(_ now: ContinuousClock.Instant) {
    if self.behindSince == nil {
      self.ownVersion = self.version
      self.behindSince = now
    }
    for (index, subscription) in self.subscriptions.enumerated() where subscription.isCurrent {
      self.subscriptions[index].received = subscription.topic.newest
      subscription.topic.setCurrent(false, at: subscription.position)
    }
  }

  /// Marks one of its places as current again; the caller then writes what it has missed.
  ///
  /// - Parameter now: Until now it was not behind: it takes what it is sent.
  /// - Returns: What it has been sent of the place; `nil` if all are current.
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

  /// Tells one of its windows something: now, or when it has caught up.
  func tell(_ toast: StreamEvent, _ now: ContinuousClock.Instant) {
    guard self.isWritable == false else { return self.sink.write(toast) }
    self.fallBehind(now)
    self.toasts.append(toast)
    while self.toasts.reduce(0, { $0 + $1.bytes.count }) > Self.toastLimit {
      self.toasts.removeFirst()
    }
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
    self.ownVersion = self.version
    return self.subscriptions.remove(at: index)
  }

  private func index(of topic: Hub.Topic) -> Int? {
    self.subscriptions.firstIndex { $0.topic === topic }
  }
}
