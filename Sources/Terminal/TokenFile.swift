import Foundation

/// A file with a secret that lets clients in.
package enum TokenFile {
  /// - Parameter path: Of a file with the token alone; white space around it is no part of it.
  /// - Returns: One or more visible ASCII characters.
  /// - Throws: ``Complaint`` when it cannot be read, or has no token that a header could have.
  package static func read(_ path: String) throws -> String {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw Complaint("The token file \(path) cannot be read. Make it, or make it readable.")
    }
    let token = String(decoding: data, as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    guard token.isEmpty == false, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw Complaint(
        "The token file \(path) has no token: one or more visible ASCII characters, without a space."
      )
    }
    return token
  }
}
