import HTTPConnections
import HTTPTypes

/// Rejects requests that another site makes a browser send here.
enum OriginPolicy {
  /// Checks a request that may change something.
  ///
  /// - Throws: `HTTPFailure`, 403.
  static func check(_ request: HTTPRequest) throws {
    guard [.get, .head, .options].contains(request.method) == false else { return }
    try self.checkSource(of: request)
  }

  /// Checks a request, whatever its method: one that takes what there is a limit of.
  ///
  /// - Throws: `HTTPFailure`, 403.
  static func checkSource(of request: HTTPRequest) throws {
    guard request.isFromAnotherSite else { return }
    throw HTTPFailure(
      status: .forbidden,
      message: "This came from another site. Open the page here and submit it again."
    )
  }
}
