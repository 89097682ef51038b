import AnimalsUI
import Fixture
import Foundation
import QuakesUI
import TestSupport
import Testing

@testable import ImmutableUI

/// Forms and queries.
struct QueryFuzzTests {
  @Test func `a form is decoded as the reference decodes it, or refused`() async throws {
    try await Fuzzing.run("form", few: 2_000) { generator in
      var bytes = Array(Query(Inputs.items(using: &generator)).text.utf8)
      bytes.mutate(Inputs.words, using: &generator)

      let form = Query(form: bytes)

      guard form?.items == Self.reference(bytes) else {
        throw Finding("decoded as \(String(describing: form)), not as the reference", bytes)
      }
    }
  }

  @Test func `an encoded query decodes to itself`() async throws {
    try await Fuzzing.run("encoding", few: 1_000) { generator in
      let query = Query(Inputs.items(using: &generator))
      let bytes = Array(query.text.utf8)

      guard bytes.allSatisfy({ $0 < 128 && Self.unsafe.contains($0) == false }) else {
        throw Finding("it has unsafe bytes", bytes)
      }
      guard Query(query.text).hasSameScalars(as: query) else {
        throw Finding("the query is decoded as \(Query(query.text))", bytes)
      }
      let hasNUL = query.items.contains { ($0.name + $0.value).utf8.contains(0) }
      guard let form = Query(form: bytes) else {
        if hasNUL { return }
        throw Finding("the form is refused", bytes)
      }
      guard hasNUL == false, form.hasSameScalars(as: query) else {
        throw Finding("the form is decoded as \(form)", bytes)
      }
    }
  }

  @Test func `local state survives a round trip through its query`() async throws {
    try await Fuzzing.run("local state", few: 2_500) { generator in
      var bytes = Array(Query(Inputs.items(using: &generator)).text.utf8)
      bytes.mutate(Inputs.words, using: &generator)
      let query = Query(String(decoding: bytes, as: UTF8.self))

      try Self.check(AnimalsLocal.self, query)
      try Self.check(FixtureContent.Local.self, query)
      try Self.check(QuakesLocal.self, query) { local in
        let zone = generator.pick(Inputs.zones)
        local.resolve(in: WindowEnvironment(timeZone: zone, date: Inputs.date))
      }
    }
  }

  private static func check<Local: LocalState>(
    _ type: Local.Type,
    _ query: Query,
    _ use: (inout Local) -> Void = { _ in }
  ) throws {
    var local = Local(query)
    let text = local.query.text
    let again = Local(Query(text))

    guard again.query.text == text, Local(again.query) == again else {
      throw Finding("\(type) has the query \(text), and that \(again.query.text)", query.text)
    }
    use(&local)
    guard local.query.text == text else {
      throw Finding("\(type) has another query once it is resolved", query.text)
    }
  }

  private static let unsafe = Set("<>\"' \n\r\0".utf8)

  /// The same, written to be plain: without a thought to how long it takes.
  private static func reference(_ bytes: [UInt8]) -> [QueryItem]? {
    guard String(validating: bytes, as: UTF8.self) != nil else { return nil }
    var items: [QueryItem] = []
    for pair in bytes.split(separator: UInt8(ascii: "&")) {
      let parts = pair.split(
        separator: UInt8(ascii: "="),
        maxSplits: 1,
        omittingEmptySubsequences: false
      )
      guard let name = Self.text(parts[0]), let value = parts.count > 1 ? Self.text(parts[1]) : ""
      else { return nil }
      items.append(QueryItem(name: name, value: value))
    }
    return items
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String? {
    let spaced = bytes.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
    let parts = spaced.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false)
    var decoded = Array(parts[0])
    for part in parts.dropFirst() {
      let digits = String(decoding: part.prefix(2), as: UTF8.self)
      guard digits.wholeMatch(of: /[0-9a-fA-F]{2}/) != nil, let byte = UInt8(digits, radix: 16)
      else { return nil }
      decoded += [byte] + part.dropFirst(2)
    }
    return decoded.contains(0) ? nil : String(validating: decoded, as: UTF8.self)
  }
}

extension Query {
  /// Equal texts may have other scalars: `é` is one or two.
  fileprivate func hasSameScalars(as other: Query) -> Bool {
    self.items.count == other.items.count
      && zip(self.items, other.items).allSatisfy {
        $0.name.utf8.elementsEqual($1.name.utf8) && $0.value.utf8.elementsEqual($1.value.utf8)
      }
  }
}
