import HTTPConnections
import HTTPTypes
import ImmutableRuntime
import ImmutableUI

extension HTTPFailure {
  /// The headline of its page, in words.
  var title: String {
    switch self.status {
    case .notFound, .gone: "There\u{2019}s nothing here."
    case .requestTimeout, .tooManyRequests, .serviceUnavailable: "Not right now."
    case _ where self.status.kind == .serverError: "Something went wrong."
    default: "That didn\u{2019}t work."
    }
  }

  /// What its page says: visitors know the address, and it means nothing to them.
  var explanation: String {
    self.code == Self.unknownPage
      ? "The address may be wrong, or what it showed may have been deleted." : self.message
  }

  /// Whether the same request may succeed later.
  var isTemporary: Bool {
    [.requestTimeout, .tooManyRequests].contains(self.status) || self.status.kind == .serverError
  }
}

extension HTTPFailure {
  /// The code of a page that does not exist.
  static let unknownPage = "unknownPage"

  static let unknownWindow = HTTPFailure(
    WindowError(code: .unknownWindow, message: "There is no such window. Join again.")
  )

  static let unknownStream = HTTPFailure(
    WindowError(code: .unknownStream, message: "There is no such stream. Open a new one.")
  )

  /// A request that ends before it could be routed. What a browser sends is refused only because of the
  /// size of its head, the time that it takes, or the load of the server.
  static func unreadable(_ status: HTTPResponse.Status) -> HTTPFailure {
    let message =
      switch status {
      case .requestHeaderFieldsTooLarge:
        "The address is too long, or your browser keeps too many cookies for this site. Shorten the "
          + "address, or delete the cookies."
      case .requestTimeout: "What you sent took too long to arrive. Check your connection."
      case .serviceUnavailable: "The server is busy. Try again in a moment."
      default: "Your browser sent something that this site cannot read."
      }
    return HTTPFailure(status: status, message: message)
  }

  static func noPage(at url: some StringProtocol) -> HTTPFailure {
    HTTPFailure(
      WindowError(code: .unknownPage, message: "There is no page at \(url).")
    )
  }

  init(_ error: WindowError) {
    switch error.code {
    case .unknownWindow:
      self.init(status: .notFound, message: error.message, code: "unknownWindow")
    case .unknownPage:
      self.init(status: .notFound, message: error.message, code: Self.unknownPage)
    case .unknownStream:
      self.init(status: .notFound, message: error.message, code: "unknownStream")
    case .tooManyWindows, .tooManyPlaces:
      self.init(
        status: .serviceUnavailable,
        message: error.message,
        code: "noRoom",
        headers: [.retryAfter: "2"]
      )
    case .tooManyStreams, .overloaded, .storeGivenTwice, .ambiguousPaths:
      self.init(
        status: .serviceUnavailable,
        message: error.message,
        headers: [.retryAfter: "2"]
      )
    }
  }

  /// Maps any error to a failure; only here.
  init(_ error: any Error) {
    switch error {
    case let failure as HTTPFailure: self = failure
    case let error as WindowError: self.init(error)
    case let failure as PreviewFailure:
      self.init(status: .internalServerError, message: failure.description)
    default:
      self.init(
        status: .internalServerError,
        message: "Something went wrong here. Nothing was lost; try again."
      )
    }
  }
}

extension Refusal {
  var status: HTTPResponse.Status {
    switch self.kind {
    case .invalid: .unprocessableContent
    case .tooLarge: .contentTooLarge
    case .failure: .internalServerError
    case .unavailable: .serviceUnavailable
    case .conflict, .warning: .conflict
    case .gone: .gone
    case .unknown: .notFound
    }
  }
}
