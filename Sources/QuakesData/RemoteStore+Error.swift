import Foundation

extension RemoteStore {
  package typealias Error = RemoteStoreError
}

/// Why a ``RemoteStore`` has no feed, if it is not for its session to say.
package struct RemoteStoreError: Error {
  package enum Code: Hashable, Sendable {
    case urlError
    // Beyond the guide:
    /// There is news neither of something new nor of something known.
    case responseError
    /// The file is not there, or cannot be read.
    case fileError
    /// The file has more bytes than it may.
    case fileLimitError
    /// The file is no feed.
    case decodingError
  }

  package let code: Self.Code
  /// A sentence for whoever waits.
  package let message: String
  /// A sentence for somebody who looks at a page: without the path of a file.
  let visitorMessage: String

  /// - Parameters:
  ///   - message: If not given, it says no more than the code.
  ///   - visitorMessage: What visitors are told instead, if the message names a file.
  package init(code: Self.Code, message: String? = nil, visitorMessage: String? = nil) {
    self.code = code
    self.message = message ?? Self.sentence(for: code)
    self.visitorMessage = visitorMessage ?? self.message
  }

  private static func sentence(for code: Self.Code) -> String {
    switch code {
    case .urlError: "The address of the earthquakes is not valid. Nothing was asked for."
    case .responseError: "The server says that nothing is new, but nothing is known. Try again."
    case .fileError: "The file of earthquakes cannot be read."
    case .fileLimitError: "The file of earthquakes is too large."
    case .decodingError: "The file of earthquakes is no feed."
    }
  }
}

extension RemoteStoreError: LocalizedError {
  package var errorDescription: String? { self.message }
}
