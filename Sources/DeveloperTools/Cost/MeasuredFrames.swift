import Foundation
import ImmutableRuntime

/// The newest frames, and what each cost.
struct MeasuredFrames: Sendable {
  /// At most so many, and about so many bytes.
  static let countLimit = 300
  static let byteLimit = 4 << 20

  /// The oldest first. The oldest go first.
  private(set) var all: [MeasuredFrame] = []
  /// About as much memory as they take, in bytes.
  private(set) var bytes = 0
  /// The number of the newest.
  private var newest = 0

  mutating func append(_ cost: FrameCost, at time: Date, after actions: [Entry]) {
    self.newest += 1
    let frame = MeasuredFrame(id: self.newest, time: time, cost, after: actions)
    self.all.append(frame)
    self.bytes += frame.bytes
    while self.all.count > Self.countLimit || self.bytes > Self.byteLimit && self.all.count > 1 {
      self.bytes -= self.all.removeFirst().bytes
    }
  }

  /// Forgets all; numbers go on.
  mutating func removeAll() {
    self.all = []
    self.bytes = 0
  }
}
