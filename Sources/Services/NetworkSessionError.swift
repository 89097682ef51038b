public import Foundation
import PlainText

extension NetworkSession {
  public typealias Error = NetworkSessionError
}

/// Why a ``NetworkSession`` could not return a value.
public struct NetworkSessionError: Error {
  package enum Code: Hashable, Sendable {
    /// The status is outside 200 to 299, or the response is not HTTP.
    case statusCodeError
    /// The response has the wrong MIME type.
    case mimeTypeError
    /// The body could not be decoded.
    case decodingError
    /// Beyond the guide: the body is too large.
    case bodyLimitError
    /// Beyond the guide: there was no response.
    case connectionError
  }

  package let code: Self.Code
  /// A sentence for the operator.
  package let message: String
  /// The status of the response, if that is the reason.
  package let statusCode: Int?
  /// How long the server asks clients to wait, if it does.
  public let retryAfter: Duration?
  /// The underlying error.
  package let underlying: (any Error)?

  package init(
    code: Self.Code,
    message: String,
    statusCode: Int? = nil,
    retryAfter: Duration? = nil,
    underlying: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.statusCode = statusCode
    self.retryAfter = retryAfter
    self.underlying = underlying
  }
}

extension NetworkSessionError {
  /// The maximum number of characters that are quoted from a server's message.
  private static var messageLimit: Int { 500 }

  /// The error for a status that is not a success, with the server's message.
  init(response: HTTPURLResponse, data: Data) {
    let status = response.statusCode
    let message =
      if data.problemAsJSON == nil,
        let reason = (try? JSONDecoder().decode(Reason.self, from: data))?.text
      {
        "The server answered \(status): \(reason.prefix(Self.messageLimit))"
      } else {
        "The server answered \(status) \(HTTPURLResponse.localizedString(forStatusCode: status))."
      }
    self.init(
      code: .statusCodeError,
      message: message,
      statusCode: status,
      retryAfter: response.value(forHTTPHeaderField: "Retry-After").flatMap {
        Self.duration($0, now: .now)
      }
    )
  }

  /// Parses a `Retry-After` field.
  ///
  /// - Parameters:
  ///   - text: A number of seconds, or a date.
  ///   - now: The current date.
  /// - Returns: `nil` if it is neither.
  ///
  /// Source: RFC 9110, sections 10.2.3 and 5.6.7.
  static func duration(_ text: String, now: Date) -> Duration? {
    let text = text.trimmingCharacters(in: .whitespaces)
    guard text.utf8.count <= 40 else { return nil }
    if text.isEmpty == false, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      // A longer time means never.
      return .seconds(Int32(text) ?? .max)
    }
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return formatter.date(from: text).map {
      .seconds(max(0, min($0.timeIntervalSince(now), Double(Int32.max))))
    }
  }

  /// The common formats of errors in JSON.
  private struct Reason: Decodable {
    let text: String?

    private enum CodingKeys: String, CodingKey {
      case error
      case message
    }

    private struct Nested: Decodable {
      let message: String
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      let texts = [
        try? container.decode(String.self, forKey: .error),
        (try? container.decode(Nested.self, forKey: .error))?.message,
        try? container.decode(String.self, forKey: .message),
      ]
      self.text = texts.compactMap(\.self).first { $0.isEmpty == false }
    }
  }
}

extension NetworkSessionError {
  /// A sentence for visitors, without addresses and without the server's own words. Those are in
  /// ``message``, which goes to the log.
  ///
  /// - Parameter source: What visitors know of the server, such as "The catalog".
  package func visitorMessage(from source: String) -> String {
    switch (self.code, self.statusCode) {
    case (.connectionError, _):
      (self.underlying as? URLError)?.code == .timedOut
        ? "\(source) did not answer in time." : "\(source) could not be reached."
    case (.statusCodeError, let status?): "\(source) answered with an error (\(status))."
    case (.statusCodeError, nil), (.mimeTypeError, _), (.decodingError, _), (.bodyLimitError, _):
      "\(source) answered with something that cannot be used."
    }
  }

  /// Whether the server may have executed the request nevertheless, because it may have received it
  /// and has not refused it.
  public var mayHaveSucceeded: Bool {
    if let status = self.statusCode { return status >= 500 }
    let unreached: [URLError.Code] = [
      .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed, .unsupportedURL, .badURL,
    ]
    return (self.underlying as? URLError).map { unreached.contains($0.code) == false } ?? true
  }
}

extension NetworkSessionError: LocalizedError {
  public var errorDescription: String? { self.message }
}
