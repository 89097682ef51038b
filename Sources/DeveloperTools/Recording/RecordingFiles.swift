import Foundation

/// The files that a recording is in, the oldest first. All together stay below a limit.
///
/// The first is `actions.jsonl`, the next `actions.2.jsonl`. A new one is there with all that it begins
/// with, or not at all, so that each can be replayed by itself whenever the process ends.
struct RecordingFiles {
  /// A file is full at this part of the limit.
  private static let share = 8

  /// Of a file that does not have all yet that it begins with.
  private static let unfinished = "new"

  private let url: URL
  private let limit: Int
  /// Bounded by ``share``.
  private var files: [(url: URL, bytes: Int)]
  private var handle: FileHandle
  /// How many files there were.
  private var count = 1
  /// The size of what the newest file began with.
  private var headBytes = 0

  /// Makes the first file.
  ///
  /// - Parameters:
  ///   - url: The first file.
  ///   - limit: The most that all files may have, in bytes.
  /// - Throws: ``RecordingError`` if it cannot be made, or if files of another recording are there.
  init(_ url: URL, limit: Int) throws {
    self.url = url
    self.limit = limit
    self.files = [(url, 0)]
    self.handle = try OwnerFile.make(url)
    if let other = self.other {
      try? FileManager.default.removeItem(at: url)
      throw RecordingError(
        "\(url.path) cannot be made: \(other) is of another recording. Move it, or choose another name."
      )
    }
  }

  /// Whether it is time to go on in a new file. It has twice what it began with, so that at least half
  /// of what is written is new.
  var isFull: Bool {
    self.newestBytes >= max(self.limit / Self.share, 2 * self.headBytes)
  }

  private var newestBytes: Int { self.files.last?.bytes ?? 0 }

  /// Appends to the newest file.
  ///
  /// - Throws: ``RecordingError`` if there is no room for it; otherwise why it cannot be written.
  mutating func write(_ data: Data) throws {
    try self.makeRoom(for: data.count)
    try self.handle.write(contentsOf: data)
    self.files[self.files.count - 1].bytes += data.count
  }

  /// Goes on in a new file.
  ///
  /// - Parameter head: What it begins with.
  /// - Throws: The same as ``write(_:)``.
  mutating func begin(with head: Data) throws {
    try self.makeRoom(for: head.count)
    self.count += 1
    let url = self.url(self.count)
    let unfinished = url.appendingPathExtension(Self.unfinished)
    let handle = try OwnerFile.make(unfinished)
    try handle.write(contentsOf: head)
    try FileManager.default.moveItem(at: unfinished, to: url)
    self.handle = handle
    self.headBytes = head.count
    self.files.append((url, head.count))
  }

  /// Removes the oldest files until there is room.
  private mutating func makeRoom(for bytes: Int) throws {
    guard self.newestBytes + bytes <= self.limit else {
      throw RecordingError("the recording has reached its limit")
    }
    while self.files.reduce(bytes, { $0 + $1.bytes }) > self.limit {
      try FileManager.default.removeItem(at: self.files.removeFirst().url)
    }
  }

  /// The name of a file of another recording with the same name.
  private var other: String? {
    let names = try? FileManager.default.contentsOfDirectory(
      atPath: self.url.deletingLastPathComponent().path)
    return names?.sorted().first { name in
      let parts = name.split(separator: ".").compactMap { Int($0) }
      return parts.map(self.url).contains { url in
        [url, url.appendingPathExtension(Self.unfinished)].contains {
          $0.lastPathComponent == name
        }
      }
    }
  }

  private func url(_ number: Int) -> URL {
    let stem = self.url.deletingPathExtension().appendingPathExtension("\(number)")
    return self.url.pathExtension.isEmpty
      ? stem : stem.appendingPathExtension(self.url.pathExtension)
  }
}
