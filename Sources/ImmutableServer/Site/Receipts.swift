import HTTPTypes
import ImmutableRuntime

/// The cookie with the receipt of a browser's newest post, until the browser gets its next page.
enum Receipts {
  private static let cookie = "receipt"

  static func receipt(of request: HTTPRequest) -> PostReceipt? {
    request.cookies(Self.cookie).lazy.compactMap { PostReceipt($0) }.first
  }

  /// - Parameter isSecure: Whether the browser uses https.
  static func setCookie(_ receipt: PostReceipt, isSecure: Bool) -> String {
    "\(Self.cookie)=\(receipt.text); Path=/; HttpOnly; SameSite=Lax; Max-Age=60"
      + (isSecure ? "; Secure" : "")
  }

  static let removal = "\(Self.cookie)=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0"
}
