import DatabaseFiles
import Foundation

extension Error {
  /// What visitors are told of an effect that failed. The log has the error with its details.
  var visitorMessage: String {
    switch self {
    case let error as LocalStoreError: error.visitorMessage
    case let error as RemoteStoreError: error.visitorMessage
    case is CancellationError: "This was interrupted. Try again."
    default: self.localizedDescription
    }
  }
}
