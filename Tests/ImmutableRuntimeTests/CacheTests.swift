import TestSupport
import Testing

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
    #expect((100 - cache.count..<100).allSatisfy { cache[$0] == "\($0)" })
  }

  /// A random sequence of changes against a plain list that is looked through.
  @Test func `a shared cache behaves like a list truncated at its limits`() {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SeededGenerator(seed: seed)
    var cache = Cache<Int, Int>(limit: 60_000, isShared: true)
    var list: [(key: Int, value: Int, client: String)] = []

    for step in 0..<5_000 {
      let key = Int(random.next() % 60)
      let client = ["a", "a", "a", "b", "c", "d", "e"][Int(random.next() % 7)]
      if random.next() % 4 == 0 {
        #expect(
          cache.removeValue(for: key) == list.first { $0.key == key }?.value, "seed \(seed)")
        list.removeAll { $0.key == key }
      } else {
        let bytes = Int(random.next() % 2_000)
        let gone = cache.insert(step, for: key, bytes: bytes, of: client)
        list.removeAll { $0.key == key }
        list.append((key, step, client))
        // First its own, then those of all.
        let clients = Dictionary(list.map { ($0.value, $0.client) }) { $1 }
        let own = gone.prefix { clients[$0] == client }
        #expect(
          Array(own) == list.filter { $0.client == client }.prefix(own.count).map(\.value),
          "seed \(seed)")
        list.removeAll { own.contains($0.value) }
        #expect(
          Array(gone.dropFirst(own.count))
            == list.prefix(gone.count - own.count).map(\.value), "seed \(seed)")
        list.removeFirst(gone.count - own.count)
      }
      #expect(cache.bytes <= cache.limit, "seed \(seed)")
      #expect(cache.count == list.count, "seed \(seed)")
      #expect(cache.first?.value == list.first?.value, "seed \(seed)")
    }
    for key in list.map(\.key) { cache.removeValue(for: key) }
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
