public import ImmutableData

/// What a recording has of the texts that people enter.
public struct RecordingPrivacy<State: Sendable, Action: Codable & Sendable>: Sendable {
  let redaction: Redaction<State, Action>?
  let key: RecordingKey.Public?

  /// The texts as they are, for whoever has the file. For tests, and for what is nobody's.
  public static var raw: Self { Self(redaction: nil, key: nil) }

  /// The texts as they are, for whoever has the private key.
  public static func sealed(for key: RecordingKey.Public) -> Self {
    Self(redaction: nil, key: key)
  }
}

extension RecordingPrivacy where State: Redactable, Action: Redactable {
  /// Pseudonyms in the place of texts, in states, actions and URLs alike. Of pages there is only which
  /// windows showed, and not what they were sent: that has the texts.
  ///
  /// - Parameter reducer: That of the store. It reduces the actions again, with their pseudonyms.
  public static func pseudonyms(
    _ reducer: @escaping @Sendable (State, Action) throws -> State
  ) -> Self {
    Self(redaction: Redaction(Pseudonyms(), reducer), key: nil)
  }
}
