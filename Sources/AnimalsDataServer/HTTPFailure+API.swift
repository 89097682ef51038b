import AnimalsData
import Foundation
import HTTPConnections
import HTTPTypes
import Pictures

extension HTTPFailure {
  /// The failure for any error.
  init(_ error: any Error) {
    switch error {
    case let failure as HTTPFailure: self = failure
    case let error as LocalStoreError: self.init(error)
    case let error as PictureStoreError: self.init(error)
    case is DiskAccess.Exhausted:
      self.init(
        status: .serviceUnavailable,
        message: "The picture could not be saved or read. Try again later.",
        headers: [.retryAfter: "10"]
      )
    case let error as MutationError:
      let cause = HTTPFailure(error.cause)
      self.init(
        status: cause.status,
        message: error.message(cause),
        headers: cause.headers,
        details: cause.details
      )
    default:
      self.init(
        status: .internalServerError,
        message: "Something went wrong here. Try again later.",
        details: "\(error)"
      )
    }
  }

  private init(_ error: LocalStoreError) {
    switch error.code {
    case .animalNotFound:
      self.init(status: .notFound, message: error.message)
    case .categoryNotFound:
      self.init(status: .unprocessableContent, message: error.message)
    case .catalogFull:
      self.init(status: .conflict, message: error.message)
    case .locked, .inUse, .diskFull, .closed, .missing:
      self.init(
        status: .serviceUnavailable,
        message: error.visitorMessage,
        headers: [.retryAfter: "2"],
        details: error.message
      )
    default:
      self.init(
        status: .internalServerError,
        message: error.visitorMessage,
        details: error.message
      )
    }
  }
}

/// One of several mutations failed, and the later ones were not attempted.
struct MutationError: Error {
  /// Its index in the request, from 0.
  let index: Int
  /// The number of mutations in the request.
  let count: Int
  let cause: any Error

  fileprivate func message(_ cause: HTTPFailure) -> String {
    guard self.count > 1 else { return cause.message }
    let isUncertain = (self.cause as? LocalStoreError)?.code == .uncertain
    let before =
      switch self.index {
      case 0 where isUncertain: "Those after it were not done."
      case 0: "None of the \(self.count) mutations was done."
      case 1: "mutation[0] before it was done; those after it were not."
      default:
        "mutation[0] to mutation[\(self.index - 1)] before it were done; those after it were not."
      }
    return "mutation[\(self.index)]: \(cause.message) \(before)"
  }
}
