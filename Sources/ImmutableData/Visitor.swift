/// A pseudonym of the visitor who uses a browser. It stays the same for as long as the browser's
/// session does.
///
/// A state can contain it, to tell whose something is. It does not reveal the session, and nobody
/// can use it to act as that visitor.
public struct Visitor: RawRepresentable, Codable, CodingKeyRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) {
    self.rawValue = rawValue
  }
}

/// Whatever one visitor did can be put together by it, so a recording contains another one.
extension Visitor: Redactable {
  public func redacted(_ pseudonym: (String) -> String) -> Self {
    Self(rawValue: pseudonym(self.rawValue))
  }
}
