import Foundation
import ImmutableRuntime

/// The newest frames, with the cost of each.
struct MeasuredFrames: Sendable {
  /// The maximum number of frames, and their maximum size in bytes, approximately.
  static let countLimit = 300
  static let byteLimit = 4 << 20

  /// Oldest first. The oldest are removed first.
  private(set) var all: [MeasuredFrame] = []
  /// The approximate memory that they take, in bytes.
  private(set) var bytes = 0
  /// The number of the newest frame.
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

  /// Removes all frames. The numbering continues.
  mutating func removeAll() {
    self.all = []
    self.bytes = 0
  }
}
