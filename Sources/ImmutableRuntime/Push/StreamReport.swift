/// The status of a stream.
public struct StreamReport: Hashable, Sendable {
  /// The number of bytes sent to it.
  let sentBytes: Int
  /// How long it has been behind; `nil` if it has the newest content of all of its places.
  let behind: Duration?
}
