import Foundation
import TestPostgreSQL
import Testing

/// Forwards connections to a PostgreSQL server, and gives each session another number, as connection
/// poolers do.
final class FakePooler: Sendable {
  let port: Int
  private let listener: Int32

  init(serverPort: Int) throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    self.listener = listener
    self.port = try #require(bindToFreePort(listener))
    listen(listener, 8)
    Thread.detachNewThread {
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0 else { return }
        Self.forward(client, to: serverPort)
      }
    }
  }

  deinit {
    shutdown(self.listener, Int32(SHUT_RDWR))
    close(self.listener)
  }

  private static func forward(_ client: Int32, to port: Int) {
    let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    address.sin_port = UInt16(port).bigEndian
    withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    Thread.detachNewThread {
      // Both descriptors stay open until nobody uses them.
      let hasEnded = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        Self.copy(from: client, to: server) { $0 }
        hasEnded.signal()
      }
      Self.copy(from: server, to: client, Self.renumbered)
      hasEnded.wait()
      close(client)
      close(server)
    }
  }

  private static func copy(from source: Int32, to sink: Int32, _ change: (Data) -> Data) {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = recv(source, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      let bytes = [UInt8](change(Data(buffer.prefix(count))))
      guard send(sink, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else { break }
    }
    shutdown(sink, Int32(SHUT_RDWR))
  }

  /// Changes the number in a message BackendKeyData.
  ///
  /// Source: PostgreSQL 15, 55.7. Message Formats.
  private static func renumbered(_ data: Data) -> Data {
    guard let key = data.firstRange(of: Data([UInt8(ascii: "K"), 0, 0, 0, 12])) else { return data }
    var data = data
    data[key.upperBound + 3] ^= 1
    return data
  }
}
