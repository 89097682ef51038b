import Foundation

/// A file of a recording that an earlier process has written.
struct EarlierRecordingFile {
  /// The extension of a file whose beginning is not complete yet.
  static let unfinished = "new"
  /// The longest beginning of a file that is looked at, in bytes.
  private static let headLimit = 64 << 10
  /// What the first line of a recording begins with (``RecordingHeader``, ``RecordingSeal/Header``).
  private static let headers = ["{\"digest\":\"", "{\"key\":\""]
  /// The first lines that a program writes are shorter, in bytes.
  private static let headerLimit = 300

  /// No program begins so many files. The numbers after it can still be counted.
  private static let numberLimit = Int(Int32.max)

  let number: Int
  let url: URL
  let bytes: Int

  /// The file with a number: `actions.2.jsonl`; the first is `actions.jsonl`.
  static func url(_ first: URL, _ number: Int) -> URL {
    guard number > 1 else { return first }
    let stem = first.deletingPathExtension().appendingPathExtension("\(number)")
    return first.pathExtension.isEmpty ? stem : stem.appendingPathExtension(first.pathExtension)
  }

  /// The files with the names of a recording, oldest first.
  ///
  /// - Throws: ``RecordingError`` if one of them is no recording, or if another process still writes the
  ///   newest one.
  /// - Complexity: O(n), n files in the folder.
  static func all(of first: URL) throws -> [Self] {
    let folder = first.deletingLastPathComponent()
    // A folder that cannot be read is reported when the file is made.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let files = try names.compactMap { name in try Self(name, in: folder, of: first) }
      .sorted { ($0.number, $0.url.path) < ($1.number, $1.url.path) }
    if let newest = files.last, newest.isLocked {
      throw RecordingError(
        "\(newest.url.path) is being written by another process. Choose another name.")
    }
    return files
  }

  /// - Returns: `nil` if the name is not that of such a file.
  private init?(_ name: String, in folder: URL, of first: URL) throws {
    let number =
      name == first.lastPathComponent
      ? 1
      : name.split(separator: ".").compactMap { Int($0) }.first { number in
        let url = Self.url(first, number)
        return (2...Self.numberLimit).contains(number)
          && [url, url.appendingPathExtension(Self.unfinished)].contains {
            $0.lastPathComponent == name
          }
      }
    guard let number else { return nil }
    self.number = number
    self.url = folder.appending(component: name, directoryHint: .notDirectory)
    guard RecordingFormat.isFile(self.url),
      let handle = try? FileHandle(forReadingFrom: self.url),
      let head = try? handle.read(upToCount: Self.headLimit) ?? Data(),
      let bytes = try? handle.seekToEnd(), Self.isRecording(head)
    else {
      throw RecordingError("\(self.url.path) already exists. Choose another name, or remove it.")
    }
    self.bytes = Int(bytes)
  }

  /// Whether a file begins like a recording, or was cut off within its first line.
  private static func isRecording(_ head: Data) -> Bool {
    let line = head.prefix { $0 != UInt8(ascii: "\n") }
    let isWhole = line.count < head.count || line.last == UInt8(ascii: "}")
    guard isWhole else {
      return line.count < Self.headerLimit
        && Self.headers.contains { line.starts(with: $0.utf8) || $0.utf8.starts(with: line) }
    }
    let decoder = JSONDecoder()
    return (try? decoder.decode(RecordingHeader.self, from: line)) != nil
      || (try? decoder.decode(RecordingSeal.Header.self, from: line)) != nil
  }

  private var isLocked: Bool {
    guard let handle = try? FileHandle(forReadingFrom: self.url) else { return false }
    return flock(handle.fileDescriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }
}
