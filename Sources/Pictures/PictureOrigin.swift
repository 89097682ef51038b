public import Foundation

/// The shared storage for the pictures of several servers. Each server has a ``PictureStore`` for
/// the pictures that its visitors have uploaded or viewed.
public protocol PictureOrigin: Sendable {
  /// Stores a picture.
  ///
  /// - Parameters:
  ///   - picture: The picture.
  ///   - file: Its bytes.
  /// - Throws: An error if it was not stored.
  func keep(_ picture: Picture, _ file: URL) async throws

  /// Fetches the bytes of a picture.
  ///
  /// - Parameters:
  ///   - hash: The hash of the picture.
  ///   - write: Receives a piece, and the next one when it returns.
  /// - Returns: Whether the picture exists.
  /// - Throws: An error if that is unknown, or that `write` throws.
  func fetch(_ hash: String, _ write: @Sendable (Data) async throws -> Void) async throws -> Bool
}
