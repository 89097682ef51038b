public import Foundation

extension URLSession {
  /// A session that stores nothing: no cache, no cookies, no credentials.
  ///
  /// - Parameters:
  ///   - idle: How long a server may send nothing, in seconds.
  ///   - total: How long a response may take in all, in seconds; by default six times `idle`.
  public static func withTimeouts(
    idle: TimeInterval = 10,
    total: TimeInterval? = nil
  ) -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = idle
    configuration.timeoutIntervalForResource = total ?? 6 * idle
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.urlCredentialStorage = nil
    return URLSession(configuration: configuration)
  }
}
