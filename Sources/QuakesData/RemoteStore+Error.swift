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

  /// - Parameter message: If not given, it says no more than the code.
  package init(code: Self.Code, message: String? = nil) {
    self.code = code
    self.message = message ?? Self.sentence(for: code)
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

extension RemoteStoreError {
  /// A sentence for somebody who looks at a page: without the path of a file.
  var visitorMessage: String {
    switch self.code {
    case .urlError, .responseError: self.message
    case .fileError: "There is no file of earthquakes that can be read. Try again later."
    case .fileLimitError: "The file of earthquakes is larger than it may be. Try again later."
    case .decodingError: "The file of earthquakes is incomplete, or is none. Try again later."
    }
  }
}

extension RemoteStoreError: LocalizedError {
  package var errorDescription: String? { self.message }
}
