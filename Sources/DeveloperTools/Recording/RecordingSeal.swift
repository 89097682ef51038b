import Crypto
public import Foundation

/// Seals the lines of one file, one by one, so that the file is complete up to its last line end.
struct RecordingSeal {
  /// The first line of a sealed file.
  struct Header: Codable {
    /// The format.
    let sealed: Int
    /// The encapsulated key.
    let key: Data

    static let format = 1
  }

  private var sender: HPKE.Sender

  init(for key: RecordingKey.Public) throws {
    self.sender = try HPKE.Sender(
      recipientKey: key.key, ciphersuite: RecordingKey.suite, info: RecordingKey.purpose)
  }

  /// The first line, with its end.
  var header: Data {
    get throws {
      try RecordingFormat.encode(Header(sealed: Header.format, key: self.sender.encapsulatedKey))
    }
  }

  /// - Returns: The next line, with its end.
  mutating func seal(_ line: Data) throws -> Data {
    try self.sender.seal(line).base64EncodedData() + Data("\n".utf8)
  }
}

/// A recording that was decrypted, or came through a pipe, in an unnamed file that disappears with the
/// process.
public struct OpenedRecording: Sendable {
  private let file: UnnamedFile
  /// The path at which this process, and the processes that it starts, can read it.
  public var url: URL { self.file.url }

  /// - Parameters:
  ///   - url: The sealed file. Anything after its last line end is ignored.
  ///   - key: The private key.
  /// - Throws: ``RecordingError`` if it is not sealed, or not for this key, or was changed.
  public init(_ url: URL, with key: RecordingKey) throws {
    let lines = try RecordingFormat.lines(of: url)
    guard let first = lines.first,
      let header = try? JSONDecoder().decode(RecordingSeal.Header.self, from: first)
    else { throw RecordingError("\(url.path) is not sealed. Leave --key out.") }
    self.file = try UnnamedFile()
    do {
      var recipient = try HPKE.Recipient(
        privateKey: key.key,
        ciphersuite: RecordingKey.suite,
        info: RecordingKey.purpose,
        encapsulatedKey: header.key
      )
      for line in lines.dropFirst() {
        try self.file.append(recipient.open(Data(base64Encoded: line) ?? Data()))
      }
    } catch is CryptoKitError {
      throw RecordingError("\(url.path) was sealed for another key, or was changed since.")
    }
  }

  /// A copy of a recording that can be read only once, such as `/dev/stdin`.
  ///
  /// - Returns: `nil` if it is a file, which needs no copy.
  /// - Throws: ``RecordingError`` if it cannot be read.
  package static func copy(of url: URL) throws -> Self? {
    guard RecordingFormat.isFile(url) == false else { return nil }
    let file = try UnnamedFile()
    try file.append(RecordingFormat.content(of: url))
    return Self(file: file)
  }

  private init(file: UnnamedFile) { self.file = file }
}
