package import HummingbirdCore

extension Response {
  /// The response to HEAD: everything except the body.
  package var withoutBody: Response {
    Response(status: self.status, headers: self.headers)
  }
}
