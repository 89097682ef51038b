import Foundation
import Testing

@testable import DatabaseFiles

@Suite(.timeLimit(.minutes(20))) struct FileLockTests {
  /// A lock that was just being released was taken for that of another process.
  @Test func `databases of one process share a lock while others close theirs`() async throws {
    try await withTemporaryFolder { folder in
      let path = folder.appending(path: "animals.store").path
      try await withThrowingTaskGroup { group in
        for _ in 0..<4 {
          group.addTask {
            for _ in 0..<5_000 { try FileLock(for: path).release() }
          }
        }
        try await group.waitForAll()
      }

      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }
  }
}
