import Foundation
import HTTPTypes
import Terminal

/// The secret that lets clients in.
struct BearerToken: Sendable {
  private let token: [UInt8]

  /// - Throws: `Complaint` for what no header could have.
  init(_ token: String) throws {
    guard token.isEmpty == false, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw Complaint("A token is one or more visible ASCII characters, without a space.")
    }
    self.token = Array(token.utf8)
  }

  /// - Parameter file: Has the token alone; white space around it is no part of it.
  /// - Throws: `Complaint`.
  init(file: String) throws {
    guard let data = FileManager.default.contents(atPath: file) else {
      throw Complaint("The token file \(file) cannot be read. Make it, or make it readable.")
    }
    let text = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    do {
      try self.init(text)
    } catch {
      throw Complaint("The token file \(file) has no token. \(error)")
    }
  }

  /// - Throws: ``Failure``, 401.
  func check(_ headers: HTTPFields) throws {
    let parts = (headers[.authorization] ?? "").split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "bearer", self.equals(Array(parts[1].utf8))
    else {
      throw Failure(
        status: .unauthorized,
        message: "Send the token of this server, as Authorization: Bearer TOKEN.",
        headers: [.wwwAuthenticate: "Bearer"]
      )
    }
  }

  /// Takes as long wherever the two differ: time tells only the length of what was sent.
  private func equals(_ other: [UInt8]) -> Bool {
    var difference = self.token.count ^ other.count
    for index in other.indices {
      difference |= Int(other[index] ^ self.token[index % self.token.count])
    }
    return difference == 0
  }
}
