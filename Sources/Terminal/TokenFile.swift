import Foundation

/// A file with a secret that gives clients access.
package enum TokenFile {
  /// - Parameter path: The path of a file that contains only the token. Surrounding white space is
  ///   ignored.
  /// - Returns: One or more visible ASCII characters.
  /// - Throws: ``Complaint`` when it cannot be read, or does not contain a token that is valid in a
  ///   header field.
  package static func read(_ path: String) throws -> String {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw Complaint("The token file \(path) cannot be read. Create it, or make it readable.")
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
