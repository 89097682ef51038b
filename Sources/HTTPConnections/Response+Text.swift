import Foundation
package import HTTPTypes
package import HummingbirdCore
import NIOCore

extension Response {
  /// A response for programs, which is not stored.
  package init(
    status: HTTPResponse.Status,
    text: String,
    type: String = "text/plain; charset=utf-8"
  ) {
    self.init(status: status, type: type, ByteBuffer(string: text))
  }

  package init(status: HTTPResponse.Status, json: some Encodable) {
    let json = (try? JSONEncoder().encode(json)) ?? Data("{}".utf8)
    self.init(status: status, type: "application/json", ByteBuffer(bytes: json))
  }

  private init(status: HTTPResponse.Status, type: String, _ bytes: ByteBuffer) {
    self.init(
      status: status,
      headers: [.contentType: type, .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: bytes)
    )
  }
}

// Endpoints for monitoring.
extension Response {
  /// `/healthz`: the process is alive, because it answers.
  package static var health: Response { Response(status: .ok, text: "ok\n") }

  /// `/readyz`: whether the server should receive requests. It should not during a shutdown, nor
  /// while something prevents it from doing its work.
  ///
  /// - Parameters:
  ///   - isEnding: Whether it is shutting down.
  ///   - details: More lines.
  ///   - obstacles: Why it cannot do its work now, as sentences.
  package static func readiness(
    isEnding: Bool,
    details: () -> [String] = { [] },
    obstacles: () async -> [String]
  ) async -> Response {
    let reasons = isEnding ? ["The server is shutting down."] : await obstacles()
    let lines = (reasons.isEmpty ? ["ready"] : reasons) + details()
    return Response(
      status: reasons.isEmpty ? .ok : .serviceUnavailable,
      text: lines.map { $0 + "\n" }.joined()
    )
  }
}
