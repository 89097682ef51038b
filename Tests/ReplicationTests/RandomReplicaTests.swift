import ActionLogs
import Foundation
import ImmutableData
import PostgreSQLLog
import Replication
import Synchronization
import TestPostgreSQL
import TestSupport
import Testing

/// Random runs with faults: servers are killed and join, answers get lost, the database crashes. What was
/// answered is so in the log, once, and every server had the same state after each entry.
@MainActor @Suite(.timeLimit(.minutes(20))) struct RandomReplicaTests {
  /// What became of one sending of a post.
  private enum Answer: Hashable {
    case version(UInt64)
    /// With the versions of the newest states that servers had when it was sent and when it was answered.
    case refused(ClosedRange<UInt64>)
    /// It is known, but nobody knows what became of it.
    case forgotten
  }

  private struct SentPost {
    let id: String
    let action: ShopAction
    /// To how many servers it is sent at once.
    let copies: Int
  }

  @Test(arguments: 0..<6)
  func `replicas stay consistent when answers are lost and servers are killed`(round: Int)
    async throws
  {
    let seed = UInt64.random(in: 0...(.max))
    let log = FlakyLog()
    let generator = Mutex(SeededGenerator(seed: seed ^ 1))
    log.set {
      switch generator.withLock({ Int.random(in: 0..<10, using: &$0) }) {
      case 0: .away
      case 1, 2: .losesAnswers
      default: .none
      }
    }

    try await self.run(seed: seed, posts: 120, join: { log }, reading: log, fault: {})
  }

  @Test func `replicas stay consistent when the database crashes and servers are killed`()
    async throws
  {
    let server = try await PostgreSQLServer.make()
    let seed = UInt64.random(in: 0...(.max))
    let join = { PostgreSQLLog(try PostgreSQLAddress(server.url("postgres"))) }

    let restart: @Sendable () async throws -> Void = {
      try await server.crash()
      try await server.start()
    }

    try await self.run(
      seed: seed, posts: 150, join: join, reading: try join(), fault: restart)
    try await server.remove()
  }

  /// - Parameters:
  ///   - join: The log as a new server uses it.
  ///   - reading: The log as the checker reads it.
  ///   - fault: Done once, in the middle of the posts.
  private func run(
    seed: UInt64,
    posts count: Int,
    join: () throws -> any ActionLog,
    reading log: any ActionLog,
    fault: @escaping @Sendable () async throws -> Void
  ) async throws {
    var generator = SeededGenerator(seed: seed)
    let cluster = Cluster()
    func addNode() async throws {
      let log = try join()
      let node = try await Self.persistently {
        try await Node.join(log) {
          $0.snapshotInterval = 25
          $0.markInterval = 3
        }
      }
      cluster.add(node)
    }
    for _ in 0..<3 { try await addNode() }
    let posts = (0..<count).map { number in
      SentPost(
        id: "\(number)",
        action: Int.random(in: 0..<5, using: &generator) == 0
          ? .didDeliver(.random(in: 1...4, using: &generator)) : .didTapBuy("\(number)"),
        copies: Int.random(in: 0..<4, using: &generator) == 0 ? 2 : 1
      )
    }

    var clients: [(SentPost, Task<Answer, any Error>)] = []
    var failing: Task<Void, any Error>?
    for (number, post) in posts.enumerated() {
      for _ in 0..<post.copies {
        let first = Int.random(in: 0..<1_000, using: &generator)
        clients.append((post, Task { try await cluster.send(post.action, post.id, from: first) }))
      }
      for _ in 0..<Int.random(in: 0..<20, using: &generator) { await Task.yield() }
      if number % 30 == 29 {
        let victim = cluster.nodes.remove(at: .random(in: 0..<3, using: &generator))
        await victim.kill()
        try await addNode()
      }
      if number == count / 2 { failing = Task { try await fault() } }
    }
    var answers: [(post: SentPost, answer: Answer)] = []
    for (post, client) in clients { answers.append((post, try await client.value)) }
    try await failing?.value

    let entries = try await Self.persistently { try await log.page(after: 0, limit: 10_000) }
      .entries
    let (states, refused) = try Self.fold(entries)
    let sequences = Dictionary(uniqueKeysWithValues: entries.map { ($0.entry.id, $0.sequence) })
    for (post, answer) in answers {
      switch answer {
      case .version(let version):
        #expect(sequences[post.id] == version && refused.contains(version) == false, "seed \(seed)")
      case .refused(let newest):
        // Either its entry was refused, or it was refused at once, by a state that was the newest one
        // meanwhile. Another copy of it may have been accepted later.
        let sequence = sequences[post.id]
        let isLogged = sequence.map(refused.contains) ?? false
        let wasRefused = newest.contains { number in
          states[number]?.stock == 0 && number < sequence ?? .max
        }
        #expect(isLogged || wasRefused, "seed \(seed), \(post.id)")
      case .forgotten: #expect(sequences[post.id] != nil, "seed \(seed)")
      }
    }
    let last = try #require(states[UInt64(entries.count)])
    for node in cluster.nodes {
      await node.wait { $0 == last }
    }
    for node in cluster.everybody {
      for (sequence, state) in node.states { #expect(state == states[sequence], "seed \(seed)") }
    }
    #expect(cluster.everybody.reduce(0) { $0 + $1.states.count } > entries.count / 4)
    for node in cluster.nodes { await node.kill() }
  }

  /// What the log says: the state after each entry, and which entries are refused.
  private static func fold(
    _ entries: [SequencedEntry]
  ) throws -> (states: [UInt64: Shop], refused: Set<UInt64>) {
    var (shop, states, refused) = (Shop(), [0: Shop()] as [UInt64: Shop], Set<UInt64>())
    for (index, sequenced) in entries.enumerated() {
      #expect(sequenced.sequence == UInt64(index) + 1)
      let action = try sequenced.entry.shopAction
      do {
        shop = try Shop.reducer.reduce(state: shop, action: action)
      } catch {
        refused.insert(sequenced.sequence)
      }
      states[sequenced.sequence] = shop
    }
    return (states, refused)
  }

  private static func persistently<Value>(_ work: () async throws -> Value) async throws -> Value {
    while true {
      do {
        return try await work()
      } catch let error as ActionLogError where error.code == .unavailable {
        await letOthersGoOn()
      }
    }
  }

  /// The servers.
  @MainActor private final class Cluster {
    /// Those that are there now.
    var nodes: [Node] = []
    /// Also those that were killed.
    private(set) var everybody: [Node] = []

    func add(_ node: Node) {
      self.nodes.append(node)
      self.everybody.append(node)
    }

    /// The version of the newest state that any server has had.
    var newest: UInt64 { self.everybody.map { $0.store.rootVersion }.max() ?? 0 }

    /// Sends a post as a browser does: again, and to another server, until there is an answer.
    func send(_ action: ShopAction, _ id: String, from first: Int) async throws -> Answer {
      for attempt in first... {
        let begun = self.newest
        do {
          return .version(try await self.nodes[attempt % self.nodes.count].post(action, id: id))
        } catch is Shop.SoldOut {
          return .refused(begun...self.newest)
        } catch let error as ReplicaError where error.code == .refused {
          return .refused(begun...self.newest)
        } catch let error as ReplicaError where error.code == .forgotten {
          return .forgotten
        } catch let error as ReplicaError where [.away, .stopped].contains(error.code) {
          await letOthersGoOn()
        }
      }
      fatalError("there is always another attempt")
    }
  }
}
