package import Foundation
import Services

extension URL {
  /// The API of an AnimalsDataServer, at an address that may lack the path.
  ///
  /// ```swift
  /// URL(animalsAPI: "http://127.0.0.1:8081")  // http://127.0.0.1:8081/animals/api
  /// ```
  ///
  /// - Parameter address: The address of a server, or of the API itself if it has another path.
  /// - Returns: `nil` if it is not an HTTP address.
  package init?(animalsAPI address: String) {
    guard let url = URL(string: address), url.isHTTP else { return nil }
    self = ["", "/"].contains(url.path()) ? url.appending(path: "animals/api") : url
  }
}
