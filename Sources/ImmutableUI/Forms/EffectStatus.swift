/// How the side effect stands that an action called for.
public enum EffectStatus: Hashable, Sendable {
  /// It has not ended.
  case waiting
  case success
  /// It has ended without effect, with a sentence for whoever waits.
  case failure(String)
}
