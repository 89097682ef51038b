public import ImmutableData

/// How a recording handles the texts that people enter.
public struct RecordingPrivacy<State: Sendable, Action: Codable & Sendable>: Sendable {
  let redaction: Redaction<State, Action>?
  let key: RecordingKey.Public?

  /// The original texts, readable by anybody who has the file. Only for tests of this package: others
  /// seal them, or record pseudonyms.
  package static var raw: Self { Self(redaction: nil, key: nil) }

  /// The original texts, sealed for the owner of the private key.
  public static func sealed(for key: RecordingKey.Public) -> Self {
    Self(redaction: nil, key: key)
  }
}

extension RecordingPrivacy where State: Redactable, Action: Redactable {
  /// Pseudonyms instead of the texts, in states, actions and URLs alike. The recording says which
  /// pages windows showed, but not what they were sent, because that contains the texts.
  ///
  /// - Parameter reducer: The reducer of the store. It reduces the actions a second time, with
  ///   pseudonyms.
  public static func pseudonyms(
    _ reducer: @escaping @Sendable (State, Action) throws -> State
  ) -> Self {
    Self(redaction: Redaction(Pseudonyms(), reducer), key: nil)
  }
}
