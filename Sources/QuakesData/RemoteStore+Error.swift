import Foundation

extension RemoteStore {
  package typealias Error = RemoteStoreError
}

/// Why a ``RemoteStore`` has no feed, apart from the errors of its session.
package struct RemoteStoreError: LocalizedError {
  package enum Code: Hashable, Sendable {
    case urlError
    // Beyond the guide:
    /// The server reported that nothing has changed, but nothing is known.
    case responseError
    /// The file is missing, or cannot be read.
    case fileError
    /// The file is too large.
    case fileLimitError
    /// The file is not a feed.
    case decodingError
  }

  package let code: Self.Code
  /// A sentence for the operator.
  package let message: String
  /// A sentence for visitors, without file paths.
  let visitorMessage: String

  package var errorDescription: String? { self.message }

  /// - Parameters:
  ///   - message: The sentence; by default it is derived from the code.
  ///   - visitorMessage: The sentence for visitors, if the message names a file.
  package init(code: Self.Code, message: String? = nil, visitorMessage: String? = nil) {
    self.code = code
    self.message = message ?? Self.sentence(for: code)
    self.visitorMessage = visitorMessage ?? self.message
  }

  private static func sentence(for code: Self.Code) -> String {
    switch code {
    case .urlError: "The address of the earthquakes is not valid. Nothing was requested."
    case .responseError: "The server reported no changes, but nothing was loaded before. Try again."
    case .fileError: "The file of earthquakes cannot be read."
    case .fileLimitError: "The file of earthquakes is too large."
    case .decodingError: "The file of earthquakes is not a feed."
    }
  }
}
