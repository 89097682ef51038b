import HashTreeCollections

typealias ElementTree = TreeDictionary<Int64, StructElement>

/// As large as the guide has it: ten machine words.
struct StructElement: Hashable {
  var a: Int64
  var b: Int64
  var c: Int64
  var d: Int64
  var e: Int64
  var f: Int64
  var g: Int64
  var h: Int64
  var i: Int64
  var j: Int64
}

extension StructElement {
  init(_ value: Int64) {
    self.init(
      a: value, b: value, c: value, d: value, e: value, f: value, g: value, h: value, i: value,
      j: value
    )
  }

  /// Different ones, in no order; the same in every run.
  static func random(_ count: Int) -> [StructElement] {
    var state: UInt64 = 1906
    return (0..<count).map { _ in
      // SplitMix64, which has each value once.
      state &+= 0x9E37_79B9_7F4A_7C15
      var value = state
      value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
      value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
      return StructElement(Int64(bitPattern: value ^ (value >> 31)))
    }
  }
}

/// What a state keeps its elements in.
protocol ElementCollection {
  init(elements: [StructElement])
  var count: Int { get }
  var elements: [StructElement] { get }
  func sortedElements() -> [StructElement]
  subscript(key: Int64) -> StructElement? { get set }
}

extension Dictionary: ElementCollection where Key == Int64, Value == StructElement {
  init(elements: [StructElement]) {
    self.init(uniqueKeysWithValues: elements.map { ($0.a, $0) })
  }

  var elements: [StructElement] { Array(self.values) }

  func sortedElements() -> [StructElement] {
    self.values.sorted { $0.a < $1.a }
  }
}

extension TreeDictionary: ElementCollection where Key == Int64, Value == StructElement {
  init(elements: [StructElement]) {
    self.init(uniqueKeysWithValues: elements.map { ($0.a, $0) })
  }

  var elements: [StructElement] { Array(self.values) }

  func sortedElements() -> [StructElement] {
    self.values.sorted { $0.a < $1.a }
  }
}
