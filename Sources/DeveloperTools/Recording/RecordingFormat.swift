import Dispatch
import Foundation

/// The format of a recording.
public enum RecordingFormat {
  /// The default maximum size of a recording, in bytes.
  public static let limit = 256 << 20
  static let number = 6
  /// The first format with the content of pages, and with payloads that are written once.
  static let firstWithPieces = 5
  /// The first format whose digests are those of ``StateDigest``. Before it, some equal states had
  /// different digests, and the text "nil" had that of no text.
  static let firstWithTheseDigests = 6
  /// The formats that can be read. Format 2 has no checkpoints, format 3 has no visits, format 4 has
  /// each payload every time, but no content of pages, and format 5 has other digests.
  static let readable = 2...6
  /// The maximum size of a region's content that is put together from pieces, in bytes, and what
  /// each piece counts in addition.
  static let contentLimit = 64 << 20
  static let contentOverhead = 1_000
  /// No store gets this far, and the versions after it can still be counted.
  static let versionLimit = UInt64(Int64.max)
  /// The maximum number of entries that wait to be written, and their maximum size with the content
  /// of pages in them, in bytes of memory. Content that pages share counts once. Beyond it,
  /// recording ends.
  static let waitingLimit = 10_000
  static let waitingBytes = 256 << 20
  /// How long a writer waits for more entries, and how many are enough, so that it writes several at
  /// once. The first of them costs most: its data and its code are not in the processor's caches.
  static let pause = DispatchTimeInterval.milliseconds(250)
  static let batch = 64

  private static let encoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }()

  /// A value as JSON whose keys are sorted.
  static func json(_ value: some Encodable) throws -> [UInt8] {
    Array(try Self.encoder.encode(value))
  }

  /// A line, including its line break.
  static func encode(_ line: some Encodable) throws -> Data {
    var data = try Self.encoder.encode(line)
    data.append(UInt8(ascii: "\n"))
    return data
  }

  /// The lines of a file, without their ends. Anything after the last line end is ignored.
  ///
  /// - Throws: ``RecordingError`` if the file cannot be read.
  static func lines(of url: URL) throws -> [Data] {
    let data = try self.content(of: url)
    let lineEnd = UInt8(ascii: "\n")
    guard let end = data.lastIndex(of: lineEnd) else { return [] }
    return data[..<end].split(separator: lineEnd, omittingEmptySubsequences: false)
  }

  /// - Throws: ``RecordingError`` if the file cannot be read.
  static func content(of url: URL) throws -> Data {
    do {
      return self.isFile(url)
        ? try Data(contentsOf: url, options: .mappedIfSafe)
        : try FileHandle(forReadingFrom: url).readToEnd() ?? Data()
    } catch {
      throw RecordingError("\(url.path) cannot be read.")
    }
  }

  /// Whether it can be read more than once, unlike `/dev/stdin`.
  static func isFile(_ url: URL) -> Bool {
    var status = stat()
    return stat(url.path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}

/// The error of a recording or a replay.
public struct RecordingError: Error, CustomStringConvertible {
  public let description: String

  init(_ description: String) {
    self.description = description
  }

  /// - Parameters:
  ///   - error: Why nothing could be written, for example because the disk is full.
  ///   - url: The file.
  init(_ error: any Error, writing url: URL) {
    let reason = error.localizedDescription
    self.init(
      "\(url.path) cannot be written: \(reason.last == "." ? String(reason.dropLast()) : reason)")
  }
}

/// The first line of a recording.
struct RecordingHeader: Codable {
  let format: Int
  /// The digest of the state before the first action.
  let digest: String
  /// The number of ``Upcaster``s at the time of the recording; `nil` for none.
  var form: Int?
  /// `nil` if it is not a report.
  var report: RecordedReport?

  /// Whether its digests are not comparable with those of this program.
  var hasOtherDigests: Bool { self.format < RecordingFormat.firstWithTheseDigests }
}

/// The report of a visitor.
struct RecordedReport: Codable {
  let time: Date
  /// In the visitor's words.
  let description: String
}
