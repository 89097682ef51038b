import Foundation
import ImmutableData
import Synchronization
import TestSupport
import Testing

@testable import QuakesData

/// Where quakes are kept.
private enum Kept: String, CaseIterable {
  case memory
  case disk
  /// The state itself, as servers that share a log keep it.
  case state
}

@Suite(.timeLimit(.minutes(20))) @MainActor struct StoreContractTests {
  private static let moved = Quake.make("b", updated: .day + 1, name: "Elsewhere")

  @Test(arguments: Kept.allCases)
  private func `the same actions lead to the same quakes, also after a restart`(
    kept: Kept
  ) async throws {
    let visitor = try Visitor(kept)
    defer { visitor.close() }

    try await visitor.dispatch(.onAppear)
    #expect(visitor.quakes == [])
    visitor.feed = [.a, .b, .c]
    try await visitor.dispatch(.onTapRefresh)
    #expect(visitor.quakes == [.a, .b, .c])
    try await visitor.dispatch(.onTapDelete("b"))
    #expect(visitor.quakes == [.a, .c])
    try await visitor.dispatch(.ui(.quakeList(.onTapRestoreQuakeButton(.b))))
    #expect(visitor.quakes == [.a, .b, .c])
    visitor.feed = [Self.moved, .d]
    try await visitor.dispatch(.onTapRefresh)
    #expect(visitor.quakes == [.a, Self.moved, .c, .d])
    try await visitor.dispatch(.onTapDeleteAll)
    #expect(visitor.quakes == [])
    try await visitor.restart()
    #expect(visitor.quakes == [])
    try await visitor.dispatch(.onTapRefresh)
    #expect(visitor.quakes == [Self.moved, .d])
    try await visitor.restart()
    #expect(visitor.quakes == [Self.moved, .d])
    try await visitor.dispatch(.onTapDelete("d"))
    try await visitor.restart()
    #expect(visitor.quakes == [Self.moved])
  }
}

/// Somebody who uses a store and sees what it has, and who can restart it.
@MainActor private final class Visitor {
  private(set) var store = QuakesStore(
    initialState: QuakesState(), reducer: QuakesReducer.reduce)
  private let kept: Kept
  private let folder: URL
  private let lanes = EffectLanes()
  private let answer = Mutex<[Quake]>([])
  /// `nil` if quakes are kept in the state.
  private var local: LocalStore?
  private var listener: AnyObject?

  init(_ kept: Kept) throws {
    self.kept = kept
    self.folder = FileManager.default.temporaryDirectory
      .appending(path: "QuakesDataTests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: true)
    if kept == .memory { self.local = try LocalStore(isStoredInMemoryOnly: true) }
    try self.begin()
  }

  /// What the remote store answers.
  var feed: [Quake] {
    get { self.answer.withLock { $0 } }
    set { self.answer.withLock { $0 = newValue } }
  }

  /// By id.
  var quakes: [Quake] {
    self.store.state.quakes.data.map(\.value).sorted { $0.id < $1.id }
  }

  /// Dispatches an action, and waits until its effects have ended.
  func dispatch(_ action: QuakesAction) async throws {
    try self.store.dispatch(action: action)
    while self.lanes.count > 0 { await letOthersGoOn() }
  }

  /// Begins anew with what is kept: that is the state in a snapshot of the log, or nothing but the rows.
  func restart() async throws {
    var state = QuakesState()
    if self.kept == .state {
      state = try JSONDecoder().decode(
        QuakesState.self, from: JSONEncoder().encode(self.store.state))
    }
    self.store = QuakesStore(initialState: state, reducer: QuakesReducer.reduce)
    if self.kept == .disk { try self.local?.close() }
    try self.begin()
    try await self.dispatch(.onAppear)
  }

  func close() {
    if self.kept == .disk { try? self.local?.close() }
    try? FileManager.default.removeItem(at: self.folder)
  }

  private func begin() throws {
    if self.kept == .disk {
      self.local = try LocalStore(url: self.folder.appending(path: "quakes.store"))
    }
    if let local { self.listen(local) } else { self.listen(StateStore(self.store)) }
  }

  private func listen(_ local: some PersistentSessionLocalStore) {
    var remote = RemoteStoreDouble()
    remote.fetch = { [weak self] _ in await self?.feed ?? [] }
    let listener = Listener(localStore: local, remoteStore: remote, lanes: self.lanes)
    listener.listen(to: self.store)
    self.listener = listener
  }
}
