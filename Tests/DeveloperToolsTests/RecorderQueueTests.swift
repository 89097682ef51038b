import Logging
import Synchronization
import Testing

@testable import DeveloperTools

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

  @Test func `a queue that overflows stops, says why once, and keeps what it has`() async {
    self.follow()

    for event in 0..<(RecordingFormat.waitingLimit + 3) { self.queue.put(event) }
    self.queue.stop("the disk is full")
    var events: [Int] = []
    while let batch = await self.queue.next() { events += batch }

    #expect(self.reasons.all == ["too many events waited to be written"])
    #expect(events == Array(0..<RecordingFormat.waitingLimit))
  }

  @Test func `a queue is full when the pages in it are too large`() async {
    self.follow()

    self.queue.put(1, bytes: RecordingFormat.waitingBytes)
    let first = await self.queue.next()
    self.queue.put(2, bytes: RecordingFormat.waitingBytes)
    self.queue.put(3, bytes: 1)

    #expect(first == [1])
    #expect(self.reasons.all == ["too many events waited to be written"])
    #expect(await self.queue.next() == [2])
    #expect(await self.queue.next() == nil)
  }

  @Test func `a stop is told to those who ask later`() {
    self.queue.stop("the disk is full")

    self.follow()

    #expect(self.reasons.all == ["the disk is full"])
  }

  @Test func `finishing is no stop`() {
    self.follow()

    self.queue.finish()
    self.queue.put(1)

    #expect(self.reasons.all == [])
  }
}
