import ImmutableUI

/// Why a request about a window, a stream or a page cannot be granted.
public struct WindowError: Error, Hashable, Sendable {
  public enum Code: Hashable, Sendable {
    /// There is no such page: 404.
    case unknownPage
    /// There is no such stream in this session: 404.
    case unknownStream
    /// There is no such window in this session: 404.
    case unknownWindow
    /// The session has too many windows, or there are too many in all: 503.
    case tooManyWindows
    /// There are too many streams, of the session, of the address or in all: 503.
    case tooManyStreams
    /// Windows show too much that differs: 503.
    case tooManyPlaces
    /// Listeners are behind: 503.
    case overloaded
    /// Two pages could answer one path: the group is not made.
    case ambiguousPaths
    /// The pages of a group are of several stores, or a store is given twice: it is not made.
    case severalStores
  }

  public let code: Code
  /// A sentence that says what to do.
  public let message: String

  public init(code: Code, message: String) {
    self.code = code
    self.message = message
  }
}
