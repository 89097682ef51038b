import Foundation

/// Something that went wrong, in a sentence.
package struct Complaint: LocalizedError {
  package let errorDescription: String?

  package init(_ message: String) {
    self.errorDescription = message
  }
}
