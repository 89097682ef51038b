import Foundation
import HTTPConnections
import Pictures
import Services

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Keeps pictures on an AnimalsDataServer, for all servers that show its animals.
struct RemotePictures: PictureOrigin {
  private let session: NetworkSession<URLSession>
  private let url: URL
  private let token: String?

  /// - Parameters:
  ///   - session: Does the networking. Its size limit is that of a picture.
  ///   - url: The server's API.
  ///   - token: The client's token, if the server requires one.
  init(session: NetworkSession<URLSession>, url: URL, token: String? = nil) {
    self.session = session
    self.url = url.appending(path: "pictures")
    self.token = token
  }

  private struct Answer: Decodable {
    let picture: String
  }

  /// - Throws: `NetworkSessionError`, or ``UnequalPicture``.
  func keep(_ picture: Picture, _ file: URL) async throws {
    var request = self.request(self.url)
    request.httpMethod = "POST"
    request.setValue(picture.kind.rawValue, forHTTPHeaderField: "Content-Type")
    // Not held in memory, because waiting uploads could take as many bytes as all uploads have.
    request.httpBody = try await DiskAccess.shared.run {
      try Data(contentsOf: file, options: .alwaysMapped)
    }
    let answer: Answer = try await self.session.json(for: request, from: JSONDecoder())
    guard Picture(answer.picture) == picture else { throw UnequalPicture() }
  }

  func fetch(_ hash: String, _ write: @Sendable (Data) async throws -> Void) async throws -> Bool {
    do {
      try await self.session.bytes(for: self.request(self.url.appending(path: hash))) {
        try await write($0)
      }
      return true
    } catch let error as NetworkSessionError where error.statusCode == 404 {
      return false
    }
  }

  private func request(_ url: URL) -> URLRequest {
    var request = URLRequest(url: url)
    if let token = self.token {
      request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
    }
    return request
  }
}

/// The server stored a different picture than the one sent, so it is another release.
struct UnequalPicture: LocalizedError {
  var errorDescription: String? {
    "The server stored a different picture than it was sent. Use the same release of both."
  }
}
