import Dispatch
import Foundation
import Services
import TestSupport
import Testing

@testable import QuakesData

struct FeedFileTests {
  @Test(.timeLimit(.minutes(5)))
  func `reads beyond the limit are refused while the disk hangs`() async throws {
    let (reader, begun, disk) = (
      FeedReader(limit: 1), Transcript<Int>(), DispatchSemaphore(value: 0)
    )
    let url = URL.temporaryDirectory.appending(path: UUID().uuidString)
    try Data("{}".utf8).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    let file = FeedFile(url: url, reader: reader)
    async let first = reader.run {
      begun.append(1)
      disk.wait()
      return 1
    }
    await begun.wait { $0 == [1] }

    let error = await #expect(throws: RemoteStoreError.self) {
      try await file.read(limit: 100, unless: nil)
    }

    #expect(error?.message.contains("may hang") == true)
    #expect(error?.visitorMessage.contains(url.path) == false)
    disk.signal()
    #expect(try await first == 1)
    let content = try await file.read(limit: 100, unless: nil)
    guard case .value(let data, let validators) = content else {
      Issue.record("It was not read.")
      return
    }
    #expect(data == Data("{}".utf8))
    #expect(try await file.read(limit: 100, unless: validators) == .notModified)
  }
}
