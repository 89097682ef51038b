import Crypto
import Foundation

/// Makes pseudonyms. Equal texts have equal pseudonyms. A pseudonym does not reveal its text
/// without the key, which is made for each recording and never stored.
///
/// A letter becomes another letter, and a digit becomes another digit. Everything else stays, so a
/// pseudonym is as long as its text, in characters and in bytes, and is refused for the same
/// reasons: an empty name stays empty. Two short texts may have the same pseudonym.
struct Pseudonyms: Sendable {
  private let key: SymmetricKey

  /// Makes pseudonyms with a new key.
  init() {
    self.key = SymmetricKey(size: .bits256)
  }

  /// Makes pseudonyms whose key depends on this key and a name.
  ///
  /// - Parameter name: It need not be secret, because the key is.
  init(named name: String, of parent: Self) {
    let code = HMAC<SHA256>.authenticationCode(for: Data(name.utf8), using: parent.key)
    self.key = SymmetricKey(data: code)
  }

  /// - Complexity: O(n), n bytes.
  func callAsFunction(_ text: String) -> String {
    var numbers = KeyedNumbers(for: text, self.key)
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      guard let likes = Self.likes(scalar) else {
        scalars.append(scalar)
        continue
      }
      let offset = numbers.next() % UInt32(likes.count)
      scalars.append(Unicode.Scalar(likes.lowerBound + offset) ?? scalar)
    }
    return String(scalars)
  }

  /// The letters or digits that can replace one: those with the same case and the same number of
  /// bytes.
  ///
  /// - Returns: `nil` for other characters.
  private static func likes(_ scalar: Unicode.Scalar) -> Range<UInt32>? {
    let isUppercase = scalar.properties.generalCategory == .uppercaseLetter
    switch scalar.properties.generalCategory {
    case .decimalNumber where scalar.isASCII: return 0x30..<0x3A
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber:
      switch UTF8.width(scalar) {
      case 1: return isUppercase ? 0x41..<0x5B : 0x61..<0x7B
      case 2: return isUppercase ? 0xC0..<0xD7 : 0xE0..<0xF7
      case 3: return 0x4E00..<0x9FA6
      default: return 0x20000..<0x2A6D7
      }
    default: return nil
    }
  }
}

/// Numbers that are derived from a text and a key: HMAC in counter mode.
private struct KeyedNumbers {
  /// The digest of the text, because every block needs the text again.
  private let digest: Data
  private let key: SymmetricKey
  private var block: [UInt8] = []
  private var count: UInt32 = 0

  init(for text: String, _ key: SymmetricKey) {
    self.digest = Data(SHA256.hash(data: Data(text.utf8)))
    self.key = key
  }

  mutating func next() -> UInt32 {
    if self.block.isEmpty {
      let counter = withUnsafeBytes(of: self.count.bigEndian) { Data($0) }
      self.block = Array(
        HMAC<SHA256>.authenticationCode(for: counter + self.digest, using: self.key))
      self.count += 1
    }
    defer { self.block.removeLast(4) }
    return self.block.suffix(4).reduce(0) { $0 << 8 | UInt32($1) }
  }
}
