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
