public import Foundation

/// Keeps the pictures of several servers, each of which has a ``PictureStore`` for those that its visitors
/// have uploaded or looked at.
public protocol PictureOrigin: Sendable {
  /// Keeps a picture.
  ///
  /// - Parameters:
  ///   - picture: What it is.
  ///   - file: Its bytes.
  /// - Throws: When it is not kept.
  func keep(_ picture: Picture, _ file: URL) async throws

  /// Gets the bytes of a picture.
  ///
  /// - Parameters:
  ///   - hash: The picture's.
  ///   - write: Gets a piece, and the next when it returns.
  /// - Returns: Whether there is such a picture.
  /// - Throws: When that cannot be found out, or what `write` throws.
  func fetch(_ hash: String, _ write: @Sendable (Data) throws -> Void) async throws -> Bool
}
