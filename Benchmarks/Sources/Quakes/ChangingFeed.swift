import Foundation
import QuakesData
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A network that has the bytes of a feed at once.
final class BytesSession: RemoteStoreNetworkSession {
  private let data: Mutex<Data>
  private let marks: Marks

  init(_ data: Data, marks: Marks = Marks()) {
    self.data = Mutex(data)
    self.marks = marks
  }

  func serve(_ data: Data) {
    self.data.withLock { $0 = data }
  }

  func json<T>(
    for request: URLRequest,
    from decoder: JSONDecoder
  ) async throws -> T where T: Decodable {
    let data = self.data.withLock { $0 }
    self.marks.mark("received")
    return try decoder.decode(T.self, from: data)
  }
}

/// A month of earthquakes that changes a little when it is told, like real ones, and that can forget what
/// it has decoded, so that the next time it decodes everything.
final class ChangingFeed: PersistentSessionFeedStore {
  private let month: Data
  private let session: BytesSession
  private let store: Mutex<RemoteStore<BytesSession>>
  private let changeCount = Mutex(0)

  init(_ month: Data, marks: Marks) {
    let session = BytesSession(month, marks: marks)
    self.month = month
    self.session = session
    self.store = Mutex(RemoteStore(session: session))
  }

  func change() {
    let count = self.changeCount.withLock { count in
      count += 1
      return count
    }
    self.session.serve(Self.changed(self.month, count))
  }

  func forget() {
    let store = RemoteStore(session: self.session)
    self.store.withLock { $0 = store }
  }

  func fetchRemoteQuakesFeed(
    range: QuakesAction.UI.QuakeList.RefreshQuakesRange
  ) async throws -> QuakesFeed {
    let store = self.store.withLock { $0 }
    return try await store.fetchRemoteQuakesFeed(range: range)
  }
}

extension ChangingFeed {
  /// How many earthquakes of a month have changed: about 1 %.
  static let changedCount = 100

  /// A month in which the newest earthquakes are stronger.
  ///
  /// - Parameter number: How often they have changed: by a tenth of a magnitude each time.
  static func changed(_ month: Data, _ number: Int) -> Data {
    let text = String(decoding: month, as: UTF8.self)
    let feature = /"mag":(-?[\d.]+),("place":"[^"]*","time":\d+,"updated":)(\d+)/
    let changed = text.replacing(feature, maxReplacements: Self.changedCount) { match -> String in
      let magnitude = (Double(match.output.1) ?? 0) + Double(number) / 10
      let updated = (Int(match.output.3) ?? 0) + number * 1_000
      return "\"mag\":\((magnitude * 100).rounded() / 100),\(match.output.2)\(updated)"
    }
    return Data(changed.utf8)
  }
}
