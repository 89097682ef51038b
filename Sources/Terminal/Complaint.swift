import Foundation

/// An error message of one sentence.
package struct Complaint: LocalizedError, CustomStringConvertible {
  package let description: String
  package var errorDescription: String? { self.description }

  package init(_ message: String) {
    self.description = message
  }
}
