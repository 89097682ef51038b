import HTTPTypes
import Hummingbird
import NIOCore

extension Response {
  static let htmlFields: HTTPFields = [
    .contentType: "text/html; charset=utf-8",
    .cacheControl: "private, no-cache",
    // In a frame, a page is another one. Going back and forward, browsers show what they have.
    .vary: "Accept-Encoding, Sec-Fetch-Dest",
  ]

  init(status: HTTPResponse.Status, html: [UInt8]) {
    self.init(
      status: status,
      headers: Self.htmlFields,
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: html))
    )
  }

  /// See Other: after a post that succeeded, or to the URL with normalized local state.
  init(seeOther location: String) {
    self.init(
      status: .seeOther,
      headers: [.location: location, .cacheControl: "private, no-cache"]
    )
  }

  mutating func setCookie(_ value: String) {
    self.headers.append(HTTPField(name: .setCookie, value: value))
  }
}

extension Request {
  var acceptsGzip: Bool {
    self.headers[.acceptEncoding]?.split(separator: ",").contains { coding in
      let parts = coding.lowercased().split(separator: ";").map { $0.filter { $0 != " " } }
      let quality = parts.dropFirst().first { $0.hasPrefix("q=") }?.dropFirst(2)
      return parts.first == "gzip" && quality.flatMap { Double($0) } != 0
    } ?? false
  }
}
