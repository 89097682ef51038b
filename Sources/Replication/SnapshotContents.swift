import Foundation

/// The contents of a snapshot: the encoded state, and the results of the entries before it.
struct SnapshotContents: Codable {
  let state: Data
  let decisions: Decisions

  init(state: Data, decisions: Decisions) {
    self.state = state
    self.decisions = decisions
  }

  /// - Complexity: O(n), n bytes.
  init(_ data: Data) throws {
    self = try PropertyListDecoder().decode(Self.self, from: data)
  }

  var data: Data {
    get throws {
      let encoder = PropertyListEncoder()
      encoder.outputFormat = .binary
      return try encoder.encode(self)
    }
  }
}
