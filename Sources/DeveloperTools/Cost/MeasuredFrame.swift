import Foundation
import ImmutableData
import ImmutableRuntime

/// The cost of a frame and of the actions that caused it. It is a class, so that the batches that keep
/// it copy a reference.
final class MeasuredFrame: Kept {
  static let countLimit = 300
  static let byteLimit = 4 << 20

  /// Its number. Frames are numbered consecutively.
  let id: Int
  let time: Date
  /// The product's name.
  let product: String
  let cost: FrameCost
  /// The parts of the frame and of the reducer.
  let parts: [FrameCost.Part]
  /// The duration, including the reducer.
  let duration: Duration

  /// - Parameters:
  ///   - id: Its number.
  ///   - time: When it was made.
  ///   - cost: The cost of the frame.
  ///   - actions: The actions that it shows.
  init(id: Int, time: Date, _ cost: FrameCost, after actions: [Entry]) {
    self.id = id
    self.time = time
    self.product = ProductDispatch.productName(of: cost.product)
    self.cost = cost
    var reduced: [String: FrameCost.Part] = [:]
    for entry in actions {
      let subject = FrameCost.Subject(.reduce, name: entry.name)
      reduced[entry.name, default: FrameCost.Part(subject)].runs += 1
      reduced[entry.name]?.duration += entry.dispatch.duration
    }
    self.parts = cost.parts + reduced.values
    self.duration = reduced.values.reduce(cost.duration) { $0 + $1.duration }
  }

  /// The parts of the frame and of the reducer, longest first.
  var longestParts: [FrameCost.Part] {
    self.parts.sorted {
      $0.duration == $1.duration ? $0.subject.words < $1.subject.words : $0.duration > $1.duration
    }
  }

  /// Time that belongs to no part, such as finding out which windows show what has changed.
  var rest: Duration { self.duration - self.parts.reduce(.zero) { $0 + $1.duration } }

  /// The duration of a phase.
  func duration(of phase: FrameCost.Phase) -> Duration {
    self.parts.reduce(.zero) { $0 + ($1.subject.phase == phase ? $1.duration : .zero) }
  }

  /// The names of the actions that it shows, those that took longest first.
  var actions: [String] {
    self.longestParts.compactMap { $0.subject.phase == .reduce ? $0.subject.name : nil }
  }

  var bytes: Int {
    self.parts.reduce(256) { bytes, part in
      let subject = part.subject
      let texts = [subject.page, subject.region, subject.name, subject.position]
      return bytes + 160 + texts.reduce(0) { $0 + ($1?.utf8.count ?? 0) }
    }
  }
}
