public import Foundation

extension NetworkSession {
  public typealias Error = NetworkSessionError
}

/// Why a ``NetworkSession`` has no value.
public struct NetworkSessionError: Error {
  package enum Code: Hashable, Sendable {
    /// The response has a status outside 200 to 299, or none.
    case statusCodeError
    /// The response is of another MIME type.
    case mimeTypeError
    /// The body is not what was expected.
    case decodingError
    /// Beyond the guide: the body is too large.
    case bodyLimitError
    /// Beyond the guide: there was no response.
    case connectionError
  }

  package let code: Self.Code
  /// A sentence for whoever waits.
  package let message: String
  /// The status of the response, if it was that.
  package let statusCode: Int?
  /// What caused it.
  package let underlying: (any Error)?

  package init(
    code: Self.Code,
    message: String,
    statusCode: Int? = nil,
    underlying: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.statusCode = statusCode
    self.underlying = underlying
  }
}

extension NetworkSessionError {
  /// The most characters that are taken over of what a server says.
  private static var messageLimit: Int { 500 }

  /// For a status that is no success, with what the server says about it.
  init(response: HTTPURLResponse, data: Data) {
    let status = response.statusCode
    let message =
      if let reason = (try? JSONDecoder().decode(Reason.self, from: data))?.text {
        "The server answered \(status): \(reason.prefix(Self.messageLimit))"
      } else {
        "The server answered \(status) \(HTTPURLResponse.localizedString(forStatusCode: status))."
      }
    self.init(code: .statusCodeError, message: message, statusCode: status)
  }

  /// How servers put an error into JSON.
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
  /// Whether the server may have done what it was asked to, all the same: it was reached, and has not
  /// refused.
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
