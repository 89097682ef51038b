import AnimalsData
import Foundation
import HTTPTypes
import Synchronization

/// A list of the catalogue as JSON, which any number of answers share.
final class EncodedList: Sendable {
  let json: Data
  private let budget: ListBudget

  /// - Throws: ``HTTPFailure``, 503, if there is no room.
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
actor CatalogueReads<Store> where Store: PersistentSessionPersistentStore {
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

  /// - Parameter limit: The maximum size of all lists that are being sent, in bytes.
  init(of store: Store, limit: Int = 256 << 20) {
    self.store = store
    self.budget = ListBudget(limit: limit)
  }

  /// A list as it is after this call began, or later.
  ///
  /// - Throws: The store's error; ``HTTPFailure``, 503, if too many lists are being sent.
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

/// Counts the bytes of the lists that are being sent.
private final class ListBudget: Sendable {
  private let limit: Int
  private let used = Mutex(0)

  init(limit: Int) {
    self.limit = limit
  }

  /// - Throws: ``HTTPFailure``, 503, if there is no room.
  func take(_ bytes: Int) throws {
    try self.used.withLock { used in
      guard used + bytes <= self.limit else {
        throw HTTPFailure(
          status: .serviceUnavailable,
          message: "Too many answers are being sent. Try again later.",
          headers: [.retryAfter: "10"]
        )
      }
      used += bytes
    }
  }

  func giveBack(_ bytes: Int) {
    self.used.withLock { $0 -= bytes }
  }
}
