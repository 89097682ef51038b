import AnimalsData
import Foundation
import HTTPConnections
import HTTPTypes
import Synchronization

/// A list of the catalog as JSON, which any number of answers share.
///
/// It counts as being sent for as long as an answer has it.
final class EncodedList: Sendable {
  let json: Data
  private let budget: ListBudget

  /// - Throws: `HTTPFailure`, 503, if there is no room.
  fileprivate init(_ json: Data, _ budget: ListBudget) throws {
    try budget.take(json.count)
    self.json = json
    self.budget = budget
  }

  deinit {
    self.budget.giveBack(self.json.count)
  }
}

/// Reads the lists that clients ask for, one after the other.
///
/// Requests that wait for the same list share one read. As long as a list does not change, its
/// answers share their bytes, so clients that are slow to read hold a list once for each change,
/// not once for each client.
actor CatalogReads<Store> where Store: PersistentSessionPersistentStore {
  private struct Newest {
    weak var list: EncodedList?
  }

  private let store: Store
  private let budget: ListBudget
  /// The reads that have not begun yet, at most one for each list.
  private var waiting: [RemoteRequest.Query: Task<EncodedList, any Error>] = [:]
  /// The newest read, which the next one follows.
  private var last: Task<EncodedList, any Error>?
  private var newest: [RemoteRequest.Query: Newest] = [:]

  /// - Parameter limit: The maximum size of all lists that are being sent, in bytes. Those that are
  ///   sent to one client may have a quarter of it.
  init(of store: Store, limit: Int = 256 << 20) {
    self.store = store
    self.budget = ListBudget(limit: limit)
  }

  /// A list as it is after this call began, or later.
  ///
  /// - Throws: The store's error; `HTTPFailure`, 503, if too many lists are being sent.
  /// - Complexity: O(n), n elements, once for all who wait for the list.
  func list(_ query: RemoteRequest.Query) async throws -> EncodedList {
    if let waiting = self.waiting[query] { return try await waiting.value }
    let previous = self.last
    let task = Task {
      _ = await previous?.result
      // A later request may follow a change that this read does not see.
      self.waiting[query] = nil
      return try await self.read(query)
    }
    self.waiting[query] = task
    self.last = task
    defer { if self.last == task { self.last = nil } }
    return try await task.value
  }

  /// Counts lists that are being sent to a client, until the result is released.
  ///
  /// - Throws: `HTTPFailure`, 503, if too many lists are being sent to it.
  nonisolated func hold(_ lists: [EncodedList], for client: String) throws -> SentLists {
    try SentLists(lists, to: client, self.budget)
  }

  private func read(_ query: RemoteRequest.Query) async throws -> EncodedList {
    let encoder = JSONEncoder()
    // Otherwise equal lists may differ in the order of their keys.
    encoder.outputFormatting = .sortedKeys
    let json = try encoder.encode(await self.store.response(to: query))
    if let newest = self.newest[query]?.list, newest.json == json { return newest }
    let list = try EncodedList(json, self.budget)
    self.newest[query] = Newest(list: list)
    return list
  }
}

/// The lists of an answer that is being sent to a client.
final class SentLists: Sendable {
  private let lists: [EncodedList]
  private let client: String
  private let budget: ListBudget

  /// - Throws: `HTTPFailure`, 503, if the client's share is used up.
  fileprivate init(_ lists: [EncodedList], to client: String, _ budget: ListBudget) throws {
    try budget.beginSending(lists, to: client)
    self.lists = lists
    self.client = client
    self.budget = budget
  }

  deinit {
    self.budget.endSending(self.lists, to: self.client)
  }
}

/// Counts the bytes of the lists that are being sent.
private final class ListBudget: Sendable {
  private struct Contents {
    var bytes = 0
    /// The number of answers with each list that are being sent to a client. Bounded by the number
    /// of connections.
    var clients: [String: [ObjectIdentifier: (bytes: Int, count: Int)]] = [:]
  }

  private let limit: Int
  private let contents = Mutex(Contents())

  init(limit: Int) {
    self.limit = limit
  }

  /// - Throws: `HTTPFailure`, 503, if there is no room.
  func take(_ bytes: Int) throws {
    try self.contents.withLock { contents in
      guard contents.bytes + bytes <= self.limit else { throw Self.full }
      contents.bytes += bytes
    }
  }

  func giveBack(_ bytes: Int) {
    self.contents.withLock { $0.bytes -= bytes }
  }

  /// Counts the lists of an answer, each once for each client, because all answers share its bytes.
  ///
  /// - Throws: `HTTPFailure`, 503, if the client's share is used up; nothing is counted.
  func beginSending(_ lists: [EncodedList], to client: String) throws {
    try self.contents.withLock { contents in
      var sent = contents.clients[client] ?? [:]
      for list in lists {
        let count = sent[ObjectIdentifier(list)]?.count ?? 0
        sent[ObjectIdentifier(list)] = (list.json.count, count + 1)
      }
      // A single answer may be larger than a share.
      let isOnlyAnswer = contents.clients[client] == nil
      let bytes = sent.values.reduce(0) { $0 + $1.bytes }
      guard isOnlyAnswer || bytes <= self.limit / 4 else { throw Self.full }
      contents.clients[client] = sent
    }
  }

  func endSending(_ lists: [EncodedList], to client: String) {
    self.contents.withLock { contents in
      for list in lists {
        guard let sent = contents.clients[client]?[ObjectIdentifier(list)] else { continue }
        contents.clients[client]?[ObjectIdentifier(list)] =
          sent.count > 1 ? (sent.bytes, sent.count - 1) : nil
      }
      if contents.clients[client]?.isEmpty == true { contents.clients[client] = nil }
    }
  }

  private static let full = HTTPFailure(
    status: .serviceUnavailable,
    message: "Too many answers are being sent. Try again later.",
    headers: [.retryAfter: "10"]
  )
}
