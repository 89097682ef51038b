import Foundation
import FoundationNetworking
import QuakesData

/// The same operations on a database, through the LocalStore of Quakes: what it would cost if the
/// state were kept there, as the guide's first version keeps it in SwiftData.
enum StoredQuakes {
  private static let samples = 25

  /// - Returns: The median of an operation, in nanoseconds.
  static func median(_ operation: Operation, of count: Int) async throws -> Double {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try LocalStore(url: folder.appending(path: "quakes.store"))
    defer { try? store.close() }
    let quakes = try await MadeUpFeed(numbers: 0..<count).quakes()
    let new = try await MadeUpFeed(numbers: count..<count + 1).quakes()
    let middle = count / 2
    let changed = try await MadeUpFeed(numbers: middle..<middle + 1, place: "Elsewhere").quakes()
    try await store.didFetchRemoteQuakesMutation(inserted: quakes, updated: [], deleted: [])

    let clock = ContinuousClock()
    var times: [Double] = []
    let quake = quakes[middle]
    for sample in 0..<self.samples {
      let time = try await clock.measure {
        switch operation {
        case .count:
          consume(try await store.fetchLocalQuakesQuery().count)
        case .read:
          consume(try await store.fetchLocalQuakesQuery().first { $0.id == quake.id })
        case .insert:
          try await store.didFetchRemoteQuakesMutation(inserted: new, updated: [], deleted: [])
        case .update:
          // What is as it was is not written.
          try await store.didFetchRemoteQuakesMutation(
            inserted: [], updated: sample.isMultiple(of: 2) ? changed : [quake], deleted: [])
        case .delete:
          try await store.deleteLocalQuakeMutation(quakeId: quake.id)
        case .sort:
          consume(try await store.fetchLocalQuakesQuery().sorted { $0.time < $1.time })
        }
      }
      times.append(time / .nanoseconds(1))
      // As many as before, for the next sample.
      switch operation {
      case .insert: try await store.deleteLocalQuakeMutation(quakeId: new[0].id)
      case .delete:
        try await store.didFetchRemoteQuakesMutation(inserted: [quake], updated: [], deleted: [])
      default: break
      }
    }
    return times.sorted()[times.count / 2]
  }
}

/// A feed of as many earthquakes as are wanted, from the first with a number on.
private struct MadeUpFeed: RemoteStoreNetworkSession {
  let numbers: Range<Int>
  var place = "Somewhere"

  func json<T>(
    for request: URLRequest,
    from decoder: JSONDecoder
  ) async throws -> T where T: Decodable {
    let features = self.numbers.map { number in
      """
      {"type":"Feature","id":"quake\(number)","properties":{"mag":\(1 + Double(number % 80) / 10),\
      "place":"\(number % 300) km N of \(self.place)","time":\(number * 1000),"updated":\(number * 1000)},\
      "geometry":{"type":"Point","coordinates":[\(number % 180),\(number % 90),10]}}
      """
    }
    let feed = """
      {"type":"FeatureCollection","metadata":{"count":\(features.count)},\
      "features":[\(features.joined(separator: ","))]}
      """
    return try decoder.decode(T.self, from: Data(feed.utf8))
  }

  func quakes() async throws -> [Quake] {
    let quakes = try await RemoteStore(session: self).fetchRemoteQuakesQuery(range: .allMonth)
    guard quakes.count == self.numbers.count else { throw Failure(message: "the feed has bad features") }
    return quakes
  }
}
