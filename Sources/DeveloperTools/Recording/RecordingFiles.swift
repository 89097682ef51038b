import Foundation

/// The files of a recording, oldest first. Their total size stays below a limit.
///
/// The first is `actions.jsonl`, the next is `actions.2.jsonl`. A new file appears only once its
/// beginning is complete, so that each file can be replayed on its own, no matter when the process
/// ends. The next process continues in the next file.
struct RecordingFiles {
  /// A file is full at this fraction of the limit.
  private static let share = 8
  /// A file of an earlier process counts as at least this fraction, so that there are not too many.
  private static let leastShare = 256

  private let url: URL
  private let limit: Int
  private let stopsWhenFull: Bool
  /// Bounded by ``leastShare``.
  private var files: [(url: URL, bytes: Int)]
  private var file: LockedFile
  /// The end of the newest file, which is not written yet.
  private var buffer = Data()
  /// The number of the newest file.
  private var number: Int
  /// The size of the newest file's beginning.
  private var headBytes = 0

  /// Makes the first file, or the one after those of earlier processes.
  ///
  /// - Parameters:
  ///   - url: The first file.
  ///   - limit: The maximum size of all files, in bytes.
  ///   - stopsWhenFull: Whether there is no room beyond it; otherwise the oldest files make room.
  /// - Throws: ``RecordingError`` if it cannot be made, if another process writes the recording, or if
  ///   a file with such a name is no recording.
  init(_ url: URL, limit: Int, stopsWhenFull: Bool = false) throws {
    self.url = url
    self.limit = limit
    self.stopsWhenFull = stopsWhenFull
    let earlier = try EarlierRecordingFile.all(of: url)
    self.files = earlier.map { ($0.url, max($0.bytes, limit / Self.leastShare)) }
    self.number = (earlier.last?.number ?? 0) + 1
    let newest = EarlierRecordingFile.url(url, self.number)
    self.file = try LockedFile(newest)
    self.files.append((newest, 0))
  }

  /// The newest file.
  var newest: URL { EarlierRecordingFile.url(self.url, self.number) }

  /// Whether it is time to continue in a new file. A file has at least twice the size of its
  /// beginning, so that at least half of the written data is new. If the limit does not allow that,
  /// it has half of the room beyond its beginning.
  var isFull: Bool {
    let enough = min(2 * self.headBytes, (self.headBytes + self.limit) / 2)
    return self.newestBytes >= max(self.limit / Self.share, enough)
  }

  private var newestBytes: Int { self.files.last?.bytes ?? 0 }

  /// Writes the beginning of the first file. If there is no room for it, there is no file.
  ///
  /// - Throws: The same as ``append(_:)``.
  mutating func start(with head: Data) throws {
    do {
      try self.append(head)
      try self.flush()
    } catch {
      try? FileManager.default.removeItem(at: self.newest)
      throw error
    }
    self.headBytes = head.count
  }

  /// Appends to the newest file, at the next ``flush()``.
  ///
  /// - Throws: ``RecordingError`` if there is no room for it, or a write fails.
  mutating func append(_ data: Data) throws {
    try self.makeRoom(for: data.count, in: self.newestBytes)
    self.buffer += data
    self.files[self.files.count - 1].bytes += data.count
  }

  /// Writes everything that was appended.
  ///
  /// - Throws: ``RecordingError`` if the write fails.
  mutating func flush() throws {
    guard self.buffer.isEmpty == false else { return }
    defer { self.buffer = Data() }
    try Self.write(self.buffer, to: self.file, at: self.newest)
  }

  private static func write(_ data: Data, to file: LockedFile, at url: URL) throws {
    do {
      try file.handle.write(contentsOf: data)
    } catch {
      throw RecordingError(error, writing: url)
    }
  }

  /// Continues in a new file.
  ///
  /// - Parameter head: The beginning of the file.
  /// - Throws: The same as ``append(_:)``.
  mutating func begin(with head: Data) throws {
    try self.flush()
    try self.makeRoom(for: head.count, in: 0)
    self.number += 1
    let url = self.newest
    let unfinished = url.appendingPathExtension(EarlierRecordingFile.unfinished)
    let file = try LockedFile(unfinished)
    try Self.write(head, to: file, at: url)
    try FileManager.default.moveItem(at: unfinished, to: url)
    self.file = file
    self.headBytes = head.count
    self.files.append((url, head.count))
  }

  /// Lets another recorder continue the recording, also while there are copies of this value.
  func end() { self.file.unlock() }

  /// Removes the oldest files until there is room.
  ///
  /// - Parameter size: The size of the file so far.
  /// - Throws: ``RecordingError`` if that is not enough, or if they must stay.
  private mutating func makeRoom(for bytes: Int, in size: Int) throws {
    func hasRoom() -> Bool { self.files.reduce(bytes) { $0 + $1.bytes } <= self.limit }
    guard size + bytes <= self.limit, self.stopsWhenFull == false || hasRoom() else {
      throw RecordingError("the recording has reached its limit")
    }
    while hasRoom() == false {
      do {
        try FileManager.default.removeItem(at: self.files.removeFirst().url)
      } catch CocoaError.fileNoSuchFile {
        // Somebody has moved or removed it.
      }
    }
  }
}

/// A new file that is locked, so that no other process continues the recording.
private final class LockedFile: Sendable {
  let handle: FileHandle

  init(_ url: URL) throws {
    self.handle = try OwnerFile.make(url)
    flock(self.handle.fileDescriptor, LOCK_EX)
  }

  deinit { self.unlock() }

  func unlock() {
    // A process that is being started has the open files of its parent for a moment. Until then,
    // closing this one would not unlock it.
    flock(self.handle.fileDescriptor, LOCK_UN)
  }
}
