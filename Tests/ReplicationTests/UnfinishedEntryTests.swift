import ActionLogs
import Foundation
import ImmutableData
import Logging
import Replication
import TestSupport
import Testing

/// Entries that end every server.
@MainActor @Suite(.timeLimit(.minutes(20))) struct UnfinishedEntryTests {
  @Test func `a server names the entry that ended the one before it, and reduces it`() async throws
  {
    let folder = FileManager.default.temporaryDirectory.appending(component: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(component: "file")
    let left = folder.appending(component: "left")
    // What a process leaves that ends at this moment.
    let trapping = Reducer<Shop, ShopAction> { (shop: Shop, action: ShopAction) in
      if action == .didDeliver(13) {
        try? FileManager.default.removeItem(at: left)  // the post was tried out before
        try FileManager.default.copyItem(at: file, to: left)
      }
      return try Shop.reducer.reduce(state: shop, action: action)
    }
    let log = MemoryLog()
    let first = try await Node.join(
      log, node: "first", change: { $0.unfinishedEntry = file }, reduce: trapping)
    for count in [1, 13, 2] { _ = try await first.post(.didDeliver(count), id: "\(count)") }
    let lines = Transcript<String>()
    func join(_ file: URL) async throws -> Node {
      try await Node.join(log) {
        $0.unfinishedEntry = file
        $0.logger = Logger(label: "node") { _ in LineLog(lines: lines) }
      }
    }

    let afterEnd = try await join(left)
    let named = lines.entries
    let again = try await join(left)
    let other = try await join(file)

    let line = try #require(named.first)
    #expect(line.hasPrefix("The server ended while it reduced this entry."))
    for part in [#""entry": 2"#, #""id": 13"#, #""action": didDeliver"#, #""server": first"#] {
      #expect(line.contains(part))
    }
    #expect(lines.entries == [line])
    for node in [afterEnd, again, other] { #expect(node.store.state.stock == 19) }
  }

  @Test func `a server whose file cannot be used says so, and goes on`() async throws {
    let lines = Transcript<String>()

    let node = try await Node.join(MemoryLog()) {
      $0.unfinishedEntry = URL(filePath: "/none/file")
      $0.logger = Logger(label: "node") { _ in LineLog(lines: lines) }
    }

    #expect(try await node.post(.didDeliver(1)) == 1)
    #expect(lines.entries.count == 1)
  }

  @Test func `an entry whose action was removed from the log is refused by every server`()
    async throws
  {
    let log = MemoryLog()
    let node = try await Node.join(log)
    let removed = LogEntry(
      id: "a", product: "shop", reducer: 1, node: "other", payload: Data("removed".utf8))
    _ = try await log.append([AppendRequest(removed)])

    let version = try await node.post(.didDeliver(1))
    try await node.replica.keepSnapshot()
    let later = try await Node.join(log)

    #expect(version == 2)
    for node in [node, later] {
      #expect(node.store.state.stock == 4)
      let error = await #expect(throws: ReplicaError.self) {
        _ = try await node.post(.didTapBuy("a"), id: "a")
      }
      #expect(error?.code == .refused)
    }
  }
}
