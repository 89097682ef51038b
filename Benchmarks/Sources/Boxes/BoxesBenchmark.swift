import Glibc
import HashTreeCollections

/// A row as a struct, as the products have them: three texts and six numbers.
struct PlainRow: Row {
  var id: String
  var name: String
  var place: String
  var numbers: (Double, Double, Double, Double, Double)
  var value: Int

  init(_ number: Int) {
    self.id = "us7000\(100_000 + number)"
    self.name = "A name with more than fifteen bytes, number \(number)"
    self.place = "\(number % 90) km north of somewhere"
    let number = Double(number)
    self.numbers = (number, number / 2, number / 3, number / 5, number / 7)
    self.value = 0
  }

  static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.id == rhs.id && lhs.name == rhs.name && lhs.place == rhs.place && lhs.value == rhs.value
      && lhs.numbers == rhs.numbers
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(self.id)
    hasher.combine(self.value)
  }
}

/// The same row in an object that copies share until one of them is changed, as CowBox makes it.
struct BoxedRow: Row {
  private final class Storage {
    var row: PlainRow

    init(_ row: PlainRow) { self.row = row }
  }

  private var storage: Storage

  init(_ number: Int) { self.storage = Storage(PlainRow(number)) }

  var id: String { self.storage.row.id }

  var value: Int {
    get { self.storage.row.value }
    set {
      if isKnownUniquelyReferenced(&self.storage) == false {
        self.storage = Storage(self.storage.row)
      }
      self.storage.row.value = newValue
    }
  }

  static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.storage === rhs.storage || lhs.storage.row == rhs.storage.row
  }

  func hash(into hasher: inout Hasher) { self.storage.row.hash(into: &hasher) }
}

protocol Row: Hashable, Identifiable where ID == String {
  var value: Int { get set }

  init(_ number: Int)
}

/// Measures what rows that copy on write would save: memory, and the time of what a reducer, a selector
/// and a comparison do.
///
/// ```
/// Boxes struct|box ROWS    prints cells of a row of a table
/// ```
@main struct BoxesBenchmark {
  private static let runs = 15

  static func main() {
    let arguments = CommandLine.arguments
    let count = arguments.count == 3 ? Int(arguments[2]) : nil
    switch (arguments.dropFirst().first, count) {
    case ("struct", let count?): self.measure(PlainRow.self, count)
    case ("box", let count?): self.measure(BoxedRow.self, count)
    default: fatalError("usage: Boxes struct|box ROWS")
    }
  }

  /// Specialized for each kind of row, as products are.
  @inline(__always)
  private static func measure<R: Row>(_ type: R.Type, _ count: Int) {
    let before = Self.residentBytes
    let rows = (0..<count).map { R($0) }
    let memory = (Self.residentBytes - before) / count
    var copy = rows
    copy[count / 2].value = 1
    copy[count / 2].value = 0
    let equal = (0..<count).map { R($0) }
    let tree = TreeDictionary(uniqueKeysWithValues: rows.map { ($0.id, $0) })
    let id = rows[count / 2].id
    let times = [
      self.best {
        var new = rows
        new[count / 2].value += 1
        return new.count
      },
      self.best { copy == rows ? 1 : 0 },
      self.best { equal == rows ? 1 : 0 },
      self.best {
        var new = tree
        new[id]?.value += 1
        return new.count
      },
      self.best { rows.filter { $0.id.utf8.last.map { $0 % 2 == 0 } ?? false }.count },
    ]
    print("\(memory) bytes | \(times.joined(separator: " | "))")
  }

  /// The memory of this process, in bytes.
  private static var residentBytes: Int {
    var buffer = [UInt8](repeating: 0, count: 256)
    let file = open("/proc/self/statm", O_RDONLY)
    defer { close(file) }
    let count = read(file, &buffer, buffer.count)
    let fields = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self).split(separator: " ")
    return (fields.dropFirst().first.flatMap { Int($0) } ?? 0) * Int(getpagesize())
  }

  private static func best(_ work: () -> Int) -> String {
    var best = Duration.seconds(1_000)
    for _ in 0..<Self.runs {
      let began = ContinuousClock.now
      Self.consume(work())
      best = min(best, ContinuousClock.now - began)
    }
    let nanoseconds = Double(best.components.attoseconds) / 1e9
    return nanoseconds < 10_000
      ? "\(Int(nanoseconds)) ns" : "\((nanoseconds / 100).rounded() / 10) µs"
  }

  /// Keeps a result from being optimised away.
  @inline(never) private static func consume(_ value: Int) {}
}
