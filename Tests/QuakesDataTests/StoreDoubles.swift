import Foundation
import Synchronization
import TestSupport

@testable import QuakesData

typealias RefreshRange = QuakesAction.UI.QuakeList.RefreshQuakesRange

/// What the stores can be asked for.
enum StoreCall: Hashable, Sendable {
  case fetchLocal
  case save(inserted: [Quake] = [], updated: [Quake] = [], deleted: [Quake] = [])
  case delete(quakeId: String)
  case deleteAll
  case fetchRemote(RefreshRange)
}

/// Why a store double refused.
struct StoreError: LocalizedError, Hashable {
  let call: StoreCall

  var errorDescription: String? {
    "The store refused \(self.call)."
  }
}

/// What the stores were asked, in the order in which they were.
typealias StoreTranscript = Transcript<StoreTranscriptEntry>

enum StoreTranscriptEntry: Hashable, Sendable {
  case began(StoreCall)
  case ended(StoreCall)
}

extension StoreTranscript {
  var calls: [StoreCall] {
    self.entries.compactMap { if case .began(let call) = $0 { call } else { nil } }
  }

  fileprivate func record<Value>(
    _ call: StoreCall,
    _ work: (StoreCall) async throws -> Value
  ) async throws -> Value {
    self.append(.began(call))
    defer { self.append(.ended(call)) }
    // So that another call gets in between if it can.
    await Task.yield()
    let value = try await work(call)
    await Task.yield()
    return value
  }
}

/// A local store that keeps quakes in memory, and holds or refuses the calls that a test wants it to.
struct LocalStoreDouble: PersistentSessionLocalStore {
  let transcript: StoreTranscript
  /// Runs before a call has any effect; what it throws refuses it.
  var willDo: @Sendable (StoreCall) async throws -> Void = { _ in }
  private let contents: Contents

  init(_ quakes: [Quake] = [], transcript: StoreTranscript = StoreTranscript()) {
    self.transcript = transcript
    self.contents = Contents(quakes)
  }

  /// What is kept, by id.
  var quakes: [Quake.ID: Quake] { self.contents.value.withLock { $0 } }

  /// Not in the transcript: it changes nothing.
  func fetchDeletedQuakesQuery() async throws -> Set<Quake.ID> {
    self.contents.deleted.withLock { $0 }
  }

  func fetchLocalQuakesQuery() async throws -> [Quake] {
    try await self.transcript.record(.fetchLocal) { call in
      // What it answers is as old as its beginning.
      let quakes = self.quakes.values.sorted { $0.id < $1.id }
      try await self.willDo(call)
      return quakes
    }
  }

  func didFetchRemoteQuakesMutation(
    inserted: [Quake],
    updated: [Quake],
    deleted: [Quake]
  ) async throws {
    try await self.write(.save(inserted: inserted, updated: updated, deleted: deleted)) { quakes in
      for quake in inserted { quakes[quake.id] = quake }
      for quake in updated where quakes[quake.id] != nil { quakes[quake.id] = quake }
      self.contents.deleted.withLock { $0.subtract(inserted.map(\.id)) }
      for quake in deleted { quakes[quake.id] = nil }
    }
  }

  func deleteLocalQuakeMutation(quakeId: Quake.ID) async throws {
    try await self.write(.delete(quakeId: quakeId)) {
      $0[quakeId] = nil
      self.contents.deleted.withLock { _ = $0.insert(quakeId) }
    }
  }

  func deleteLocalQuakesMutation() async throws {
    try await self.write(.deleteAll) { quakes in
      self.contents.deleted.withLock { $0.formUnion(quakes.keys) }
      quakes = [:]
    }
  }

  private func write(
    _ call: StoreCall,
    _ write: @Sendable (inout [Quake.ID: Quake]) -> Void
  ) async throws {
    try await self.transcript.record(call) { call in
      try await self.willDo(call)
      self.contents.value.withLock { write(&$0) }
    }
  }

  private final class Contents: Sendable {
    let value: Mutex<[Quake.ID: Quake]>
    let deleted = Mutex<Set<Quake.ID>>([])

    init(_ quakes: [Quake]) {
      self.value = Mutex(Dictionary(uniqueKeysWithValues: quakes.map { ($0.id, $0) }))
    }
  }
}

extension LocalStoreDouble {
  /// A store that refuses some calls.
  func refusing(_ isRefused: @escaping @Sendable (StoreCall) -> Bool) -> Self {
    var store = self
    store.willDo = { call in if isRefused(call) { throw StoreError(call: call) } }
    return store
  }
}

/// A remote store as the guide has it; it refuses unless a test says what it has.
struct RemoteStoreDouble: PersistentSessionRemoteStore {
  let transcript: StoreTranscript
  var fetch: @Sendable (RefreshRange) async throws -> [Quake] = {
    throw StoreError(call: .fetchRemote($0))
  }

  init(
    _ quakes: [Quake]? = nil,
    transcript: StoreTranscript = StoreTranscript()
  ) {
    self.transcript = transcript
    if let quakes { self.fetch = { _ in quakes } }
  }

  func fetchRemoteQuakesQuery(range: RefreshRange) async throws -> [Quake] {
    try await self.transcript.record(.fetchRemote(range)) { _ in try await self.fetch(range) }
  }
}

/// A remote store that counts what it could not read.
final class FeedStoreDouble: PersistentSessionFeedStore {
  private let answer: Mutex<QuakesFeed>
  private let willFetch: @Sendable () async -> Void

  init(feed: QuakesFeed, willFetch: @escaping @Sendable () async -> Void = {}) {
    self.answer = Mutex(feed)
    self.willFetch = willFetch
  }

  var feed: QuakesFeed {
    get { self.answer.withLock { $0 } }
    set { self.answer.withLock { $0 = newValue } }
  }

  func fetchRemoteQuakesFeed(range: RefreshRange) async throws -> QuakesFeed {
    await self.willFetch()
    return self.feed
  }
}
