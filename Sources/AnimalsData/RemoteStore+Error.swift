import Foundation

extension RemoteStore {
  package typealias Error = RemoteStoreError
}

/// Why a ``RemoteStore`` could not ask.
package struct RemoteStoreError: Error {
  package enum Code: Hashable, Sendable {
    case urlError
    case requestError
  }

  package let code: Self.Code
}

extension RemoteStoreError: LocalizedError {
  package var errorDescription: String? {
    switch self.code {
    case .urlError: "The address of the server is not valid. Nothing was sent."
    case .requestError: "The request could not be put into JSON. Nothing was sent."
    }
  }
}
