public import Foundation

/// Encodes states that another release may have to read, such as those of snapshots in a log that
/// several servers share.
///
/// What an older release has encoded is converted by the upcasters that were added since.
public struct StateCoding: Sendable {
  private let upcasters: [Upcaster]

  /// - Parameter upcasters: All upcasters of this release.
  public init(upcasters: [Upcaster]) {
    self.upcasters = upcasters
  }

  /// Encodes a state as JSON. Before it is a line with the number of upcasters, if there are any.
  ///
  /// - Throws: `EncodingError`.
  /// - Complexity: O(n), n bytes.
  public func encode(_ state: some Encodable) throws -> Data {
    let json = try JSONEncoder().encode(state)
    return self.upcasters.isEmpty ? json : Data("\(self.upcasters.count)\n".utf8) + json
  }

  /// - Throws: ``RecordingError`` if a newer release has encoded it; what an upcaster throws;
  ///   `DecodingError`.
  /// - Complexity: O(n), n bytes, besides the upcasters.
  public func decode<State: Decodable>(_ type: State.Type, from data: Data) throws -> State {
    let (form, json) = Self.parts(of: data)
    guard form <= self.upcasters.count else {
      throw RecordingError("The state is of a newer release. Start that one.")
    }
    let later = self.upcasters.dropFirst(form)
    guard later.isEmpty == false else { return try JSONDecoder().decode(type, from: json) }
    var value = try JSONDecoder().decode(JSONValue.self, from: json)
    for upcaster in later { try upcaster.state(&value) }
    return try JSONDecoder().decode(type, from: JSONEncoder().encode(value))
  }

  /// The number of upcasters when a state was encoded, and its JSON.
  private static func parts(of data: Data) -> (form: Int, json: Data) {
    guard let end = data.firstIndex(of: UInt8(ascii: "\n")),
      let form = Int(String(decoding: data[..<end], as: UTF8.self)), form > 0
    else { return (0, data) }
    return (form, data[data.index(after: end)...])
  }
}
