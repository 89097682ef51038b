import Fixture
import HTMLTemplates
import TestSupport
import Testing
import WindowTesting

@testable import ImmutableRuntime
@testable import ImmutableUI

struct CacheTests {
  @Test func `the oldest entries are evicted first, and no more than needed`() {
    var cache = Cache<Int, String>(limit: 4_500)

    for number in 0..<4 { cache.insert("\(number)", for: number, bytes: 800) }
    let before = cache.bytes
    let gone = cache.insert("new", for: 9, bytes: 800)

    #expect(before <= 4_500)
    #expect(cache.bytes <= 4_500)
    #expect(gone == ["0"])
    #expect(cache[0] == nil)
    #expect(cache[1] == "1")
    #expect(cache[9] == "new")
  }

  @Test func `a value inserted again becomes the newest`() {
    var cache = Cache<Int, String>(limit: 4_500)
    for number in 0..<4 { cache.insert("\(number)", for: number, bytes: 800) }

    cache.insert("again", for: 0, bytes: 800)

    #expect(cache.insert("new", for: 9, bytes: 800) == ["1"])
    #expect(cache[0] == "again")
  }

  @Test(arguments: [true, false])
  func `a value that is renewed becomes the newest, with the same size`(isShared: Bool) {
    var cache = Cache<Int, String>(limit: 20_000, isShared: isShared)
    for number in 0..<2 { cache.insert("\(number)", for: number, bytes: 800, of: "client") }
    let before = cache.bytes

    cache.renew(0)
    cache.renew(9)

    #expect(cache.first?.key == 1)
    #expect(cache.bytes == before)
  }

  @MainActor @Test func `a render that is requested again does not keep others from expiring`()
    async throws
  {
    let app = try FixtureApp().app
    let product = try #require(app.windows.allProducts.first as? Product<FixtureState>)
    _ = try await app.windows.page("/fixture", query: Query())
    _ = try await app.windows.page("/fixture", query: Query("selected=ant"))
    let between = ContinuousClock.now
    _ = try await app.windows.page("/fixture", query: Query())
    let count = await app.windows.cachedRegionCount

    await product.expireRenders(between + .seconds(10))

    let left = await app.windows.cachedRegionCount
    #expect(left > 0)
    #expect(left < count)
  }

  @Test func `held renders are bounded in bytes and in time`() throws {
    let compositions = (0..<80).map { number in
      var writer = HTMLWriter()
      writer.write(trusted: "\(number)" + String(repeating: "a", count: 1 << 20))
      let region = Composition.Region(name: "root", rendered: Rendered(writer))
      return Composition(regions: [region], title: "")
    }
    var held = HeldRenders()

    for composition in compositions { held.hold(composition) }

    let (first, last) = (compositions[0].regions[0].rendered, compositions[79].regions[0].rendered)
    #expect(held.bytes <= 64 << 20)
    #expect(held.count > 20)
    #expect(held[first.tag] == nil)
    #expect(held[last.tag] === last)
    held.expire(.now + .seconds(5))
    #expect(held.count == 0)
  }

  private func rendered(_ text: String) -> Rendered {
    var writer = HTMLWriter()
    writer.write(trusted: text)
    return Rendered(writer)
  }

  private func composition(_ renders: [Rendered]) -> Composition {
    Composition(
      regions: renders.enumerated().map { Composition.Region(name: "\($0)", rendered: $1) },
      title: "")
  }

  @Test func `what is still shown is not held`() {
    let (shared, old, new) = (self.rendered("shared"), self.rendered("old"), self.rendered("new"))
    var held = HeldRenders()

    held.hold(
      self.composition([shared, old]), replacedBy: self.composition([shared, new]))

    #expect(held.count == 1)
    #expect(held[old.tag] === old)
    #expect(held[shared.tag] == nil)
  }

  @Test func `compositions are held for streams, also those that share what has changed`() {
    let (old, new) = (self.rendered("old"), self.rendered("new"))
    var held = HeldRenders()
    weak var first: Composition?
    weak var second: Composition?
    do {
      let places = [self.composition([old]), self.composition([old])]
      (first, second) = (places[0], places[1])

      for place in places { held.hold(place, replacedBy: self.composition([new])) }
    }

    #expect(first != nil)
    #expect(second != nil)
    held.expire(.now + .seconds(5))
    #expect(first == nil)
    #expect(second == nil)
    #expect(held.bytes == 0)
  }

  @Test func `a composition does not outlive the renders that had to go`() {
    let large = (0..<65).map { self.rendered("\($0)" + String(repeating: "a", count: 1 << 20)) }
    var held = HeldRenders()
    weak var first: Composition?
    do {
      let composition = self.composition([large[0]])
      first = composition
      held.hold(composition)
    }

    for render in large.dropFirst() { held.hold(self.composition([render])) }

    #expect(held[large[0].tag] == nil)
    #expect(first == nil)
  }

  @Test func `the text of a link counts`() {
    let item = QueryItem(name: "animal", value: String(repeating: "a", count: 1_000))
    var writer = HTMLWriter()
    writer.hole(PerWindowHole.link([item], target: nil))

    #expect(writer.holes.heapSize > 1_000)
  }

  @Test func `a value that is greater than the limit is not kept`() {
    var cache = Cache<Int, String>(limit: 1_000)
    cache.insert("small", for: 1, bytes: 10)

    #expect(cache.insert("large", for: 2, bytes: 1_001) == ["large"])
    #expect(cache.count == 1)
  }

  @Test func `an entry without contents counts too`() {
    var cache = Cache<Int, String>(limit: 100_000)

    for number in 0..<100_000 { cache.insert("", for: number, bytes: 0) }

    #expect(cache.count < 2_000)
  }

  @Test func `a client with more than a quarter evicts its own entries`() {
    var cache = Cache<Int, String>(limit: 40_000, isShared: true)
    cache.insert("modest", for: 0, bytes: 1_000, of: "modest")

    for number in 1...100 { cache.insert("\(number)", for: number, bytes: 1_000, of: "greedy") }

    #expect(cache[0] == "modest")
    #expect(cache[100] == "100")
    #expect(cache[1] == nil)
    #expect(cache.bytes < 40_000 / 4 + 2_000)
  }

  @Test func `the entries of several clients are evicted oldest first`() {
    var cache = Cache<Int, String>(limit: 40_000, isShared: true)

    for number in 0..<100 {
      cache.insert("\(number)", for: number, bytes: 1_000, of: "\(number % 10)")
    }

    #expect(cache[0] == nil)
    #expect(cache.count > 20)
    #expect((100 - cache.count..<100).allSatisfy { cache[$0] == "\($0)" })
  }

  /// A random sequence of changes against a plain list that is looked through.
  @Test func `a shared cache behaves like a list truncated at its limits`() {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SeededGenerator(seed: seed)
    var cache = Cache<Int, Int>(limit: 60_000, isShared: true)
    cache.insert(0, for: 0, bytes: 0)
    let overhead = cache.bytes
    cache.removeValue(for: 0)
    var list = SharedList(limit: cache.limit)

    for step in 0..<5_000 {
      let key = Int(random.next() % 60)
      let client = ["a", "a", "a", "b", "c", "d", "e"][Int(random.next() % 7)]
      if random.next() % 4 == 0 {
        #expect(cache.removeValue(for: key) == list.remove(key), "seed \(seed)")
      } else {
        let bytes = Int(random.next() % 2_000)
        let gone = cache.insert(step, for: key, bytes: bytes, of: client)
        let entry = SharedList.Entry(
          key: key, value: step, client: client, bytes: bytes + overhead)
        #expect(gone == list.insert(entry), "seed \(seed)")
      }
      #expect(cache.bytes == list.bytes(), "seed \(seed)")
      #expect(cache.count == list.entries.count, "seed \(seed)")
      #expect(cache.first?.value == list.entries.first?.value, "seed \(seed)")
    }
    for key in list.entries.map(\.key) { cache.removeValue(for: key) }
    #expect(cache.bytes == 0)
  }

  /// A random sequence of changes against a plain list that is looked through.
  @Test func `the cache behaves like a list truncated at its limit`() {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SeededGenerator(seed: seed)
    var cache = Cache<Int, Int>(limit: 20_000)
    var list: [(key: Int, value: Int)] = []

    for step in 0..<5_000 {
      let key = Int(random.next() % 60)
      if random.next() % 4 == 0 {
        let removed = cache.removeValue(for: key)
        #expect(removed == list.first { $0.key == key }?.value, "seed \(seed)")
        list.removeAll { $0.key == key }
      } else {
        let gone = cache.insert(step, for: key, bytes: Int(random.next() % 2_000))
        list.removeAll { $0.key == key }
        list.append((key, step))
        #expect(gone == list.prefix(gone.count).map(\.value), "seed \(seed)")
        list.removeFirst(gone.count)
      }
      #expect(cache.bytes <= cache.limit, "seed \(seed)")
      #expect(cache.count == list.count, "seed \(seed)")
      #expect(cache.first?.value == list.first?.value, "seed \(seed)")
    }
    cache.removeOldest { _ in true }
    #expect(cache.bytes == 0)
  }
}

/// What a shared cache contains, oldest first.
private struct SharedList {
  struct Entry {
    let key: Int
    let value: Int
    let client: String
    let bytes: Int
  }

  let limit: Int
  private(set) var entries: [Entry] = []

  init(limit: Int) {
    self.limit = limit
  }

  func bytes(of client: String? = nil) -> Int {
    self.entries.reduce(0) { $0 + (client == nil || $1.client == client ? $1.bytes : 0) }
  }

  /// - Returns: The evicted values: first those of the same client, then those of all.
  mutating func insert(_ entry: Entry) -> [Int] {
    _ = self.remove(entry.key)
    self.entries.append(entry)
    var gone: [Int] = []
    while self.bytes(of: entry.client) > self.limit / 4,
      let own = self.entries.firstIndex(where: { $0.client == entry.client })
    {
      gone.append(self.entries.remove(at: own).value)
    }
    while self.bytes() > self.limit { gone.append(self.entries.removeFirst().value) }
    return gone
  }

  mutating func remove(_ key: Int) -> Int? {
    self.entries.firstIndex { $0.key == key }.map { self.entries.remove(at: $0).value }
  }
}

extension Product {
  fileprivate func expireRenders(_ now: ContinuousClock.Instant) { self.regions.expire(now) }
}
