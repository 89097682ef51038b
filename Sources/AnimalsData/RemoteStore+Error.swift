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

/// An error of a network session that knows whether the server may have done what it was asked to.
public protocol RemoteStoreNetworkError: Error {
  var mayHaveSucceeded: Bool { get }
}

/// A mutation of which nobody knows whether it was done.
struct UncertainMutation: LocalizedError {
  let cause: any Error

  var errorDescription: String? {
    "\(self.cause.localizedDescription) It may have been done all the same: refresh to see, before you "
      + "try again."
  }
}

extension RemoteStoreError: LocalizedError {
  package var errorDescription: String? {
    switch self.code {
    case .urlError: "The address of the server is not valid. Nothing was sent."
    case .requestError: "The request could not be put into JSON. Nothing was sent."
    }
  }
}
