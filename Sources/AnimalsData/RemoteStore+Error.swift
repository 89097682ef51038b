import DatabaseFiles
import Foundation
import Services

extension RemoteStore {
  package typealias Error = RemoteStoreError
}

/// Why a ``RemoteStore`` could not send a request.
package struct RemoteStoreError: LocalizedError {
  package enum Code: Hashable, Sendable {
    case urlError
    case requestError
  }

  package let code: Self.Code

  package var errorDescription: String? {
    switch self.code {
    case .urlError: "The address of the server is not valid. Nothing was sent."
    case .requestError: "The request could not be encoded as JSON. Nothing was sent."
    }
  }
}

/// A network error that says whether the server may have executed the request.
public protocol RemoteStoreNetworkError: Error {
  var mayHaveSucceeded: Bool { get }
}

/// A mutation with an unknown outcome.
struct UncertainMutation: LocalizedError {
  let cause: any Error

  var errorDescription: String? { Self.sentence(after: self.cause.localizedDescription) }

  var visitorMessage: String {
    Self.sentence(after: self.cause.sentenceForVisitors ?? self.cause.localizedDescription)
  }

  private static func sentence(after cause: String) -> String {
    "\(cause) It may have been done anyway: refresh to check, before you try again."
  }
}

/// A mutation of an animal that the server does not have, or has no longer.
struct MissingAnimal: LocalizedError {
  let cause: any Error

  var errorDescription: String? { self.cause.localizedDescription }

  var visitorMessage: String { LocalStoreError(code: .animalNotFound).message }
}

extension Error {
  /// A sentence for visitors; `nil` if the error's own description is one.
  var sentenceForVisitors: String? {
    switch self {
    case let error as LocalStoreError: error.visitorMessage
    case let error as NetworkSessionError: error.catalogMessage
    case let error as UncertainMutation: error.visitorMessage
    case let error as MissingAnimal: error.visitorMessage
    default: nil
    }
  }
}

extension NetworkSessionError {
  /// What an AnimalsDataServer refuses, in words of our own; otherwise what went wrong.
  fileprivate var catalogMessage: String {
    switch self.statusCode {
    case 409: LocalStoreError(code: .catalogFull).message
    case 422: "Its category or its picture no longer exists. Nothing was saved."
    default: self.visitorMessage(from: "The catalog")
    }
  }
}
