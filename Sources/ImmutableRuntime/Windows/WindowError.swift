import ImmutableUI

/// The error of a request about a window, a stream or a page.
public struct WindowError: Error, Hashable, Sendable {
  public enum Code: Hashable, Sendable {
    /// There is no such page: 404, for a window 410.
    case unknownPage
    /// There is no such stream in this session: 404.
    case unknownStream
    /// There is no such window in this session: 404.
    case unknownWindow
    /// There are too many windows in this session or in all: 503.
    case tooManyWindows
    /// There are too many streams in this session, from this network or in all: 503.
    case tooManyStreams
    /// The windows show more distinct content than the limit allows: 503.
    case tooManyPlaces
    /// Listeners or effects are too far behind: 503.
    case overloaded
    /// Two pages could answer the same path. The group is not created.
    case ambiguousPaths
    /// Two providers have the same store. The group is not created.
    case storeGivenTwice
  }

  public let code: Code
  /// A sentence that says what to do.
  public let message: String

  public init(code: Code, message: String) {
    self.code = code
    self.message = message
  }
}
