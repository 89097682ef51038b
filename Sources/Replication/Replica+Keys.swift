import ActionLogs
import Foundation

extension Replica {
  /// A key that all servers of the log share. The first server makes it.
  ///
  /// - Parameter name: The name of the key. There should be only a few different names.
  /// - Returns: 16 random bytes.
  /// - Throws: `ActionLogError`.
  public nonisolated func sharedKey(_ name: String) async throws -> [UInt8] {
    let key = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
    return Array(try await self.log.fact(name, orElse: Data(key)))
  }
}
