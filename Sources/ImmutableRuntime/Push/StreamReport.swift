/// How a stream is.
public struct StreamReport: Hashable, Sendable {
  /// How much it was sent, in bytes.
  let sentBytes: Int
  /// How long it has been behind; `nil` if it has the newest content of all of its places.
  let behind: Duration?
}
