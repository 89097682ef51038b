import Foundation
import HTMLTemplates
import ImmutableUI
import Logging
import Synchronization
import TestSupport
import Testing

@testable import DeveloperTools
@testable import ImmutableRuntime

struct RecorderQueueTests {
  private final class Reasons: Sendable {
    private let reasons = Mutex<[String]>([])

    var all: [String] { self.reasons.withLock { $0 } }

    func add(_ reason: String) { self.reasons.withLock { $0.append(reason) } }
  }

  private let queue = RecorderQueue<Int>(logger: Logger(label: "test"))
  private let reasons = Reasons()

  private func follow() {
    self.queue.whenStopped { [reasons] in reasons.add($0) }
  }

  @Test func `a queue that overflows stops, says why once, and keeps what it has`() {
    self.follow()

    for event in 0..<(RecordingFormat.waitingLimit + 3) { self.queue.put(event, bytes: 0) }
    self.queue.stop("the disk is full")
    var events: [Int] = []
    while let batch = self.queue.next() { events += batch }

    #expect(self.reasons.all == ["too many events waited to be written"])
    #expect(events == Array(0..<RecordingFormat.waitingLimit))
  }

  private static func region(_ text: String, after old: Rendered? = nil) -> ShownPage.Region {
    var writer = HTMLWriter()
    writer.write(trusted: text)
    return ShownPage.Region(
      rendered: Rendered(writer), component: "Text", selectors: [], old: old)
  }

  @Test func `a queue is full when the pages in it are too large`() {
    let queue = RecorderQueue<Int>(logger: Logger(label: "test"), byteLimit: 10_000)
    queue.whenStopped { [reasons] in reasons.add($0) }
    let large = String(repeating: "a", count: 6_000)

    queue.put(1, bytes: 0, content: [Self.region(large)])
    let first = queue.next()
    let shared = Self.region(large)
    for event in 2...9 { queue.put(event, bytes: 0, content: [shared]) }
    queue.put(10, bytes: 0, content: [Self.region(large)])

    #expect(first == [1])
    #expect(self.reasons.all == ["too many events waited to be written"])
    #expect(queue.next() == Array(2...9))
    #expect(queue.next() == nil)
  }

  @Test func `a queue is full when its actions and visits are too large`() {
    let queue = RecorderQueue<Int>(logger: Logger(label: "test"), byteLimit: 10_000)
    queue.whenStopped { [reasons] in reasons.add($0) }

    for event in 1...3 { queue.put(event, bytes: 4_000) }

    #expect(self.reasons.all == ["too many events waited to be written"])
    #expect(queue.next() == [1, 2])
    #expect(queue.next() == nil)
  }

  @Test func `a stop is told to those who ask later`() {
    self.queue.stop("the disk is full")

    self.follow()

    #expect(self.reasons.all == ["the disk is full"])
  }

  @Test func `a writer that waits gets all events, in order`() async {
    let queue = self.queue
    let count = RecordingFormat.waitingLimit / 2

    async let received = Self.all(of: queue)
    for event in 0..<count {
      queue.put(event, bytes: 0)
      // So that the writer waits for the first of some, and for the last of others.
      if event % (2 * RecordingFormat.batch) == 0 { await letOthersGoOn() }
    }
    queue.finish()

    #expect(await received == Array(0..<count))
  }

  /// What a writer gets, in a thread of its own.
  private static func all(of queue: RecorderQueue<Int>) async -> [Int] {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        var events: [Int] = []
        while let batch = queue.next() { events += batch }
        continuation.resume(returning: events)
      }
    }
  }

  @Test func `finishing is no stop`() {
    self.follow()

    self.queue.finish()
    self.queue.put(1, bytes: 0)

    #expect(self.reasons.all == [])
  }
}
