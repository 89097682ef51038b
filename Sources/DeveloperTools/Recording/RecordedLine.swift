/// A state in a recording, from which a replay can continue.
struct RecordedCheckpoint: Codable {
  /// The version of the newest action.
  let version: UInt64
  let digest: String
}

/// The line of a checkpoint, with the state.
struct CheckpointLine<State> {
  let checkpoint: State
  let version: UInt64
  let digest: String
}

extension CheckpointLine: Encodable where State: Encodable {}
extension CheckpointLine: Decodable where State: Decodable {}

/// A line after the header.
enum RecordedLine<Action: Codable>: Decodable {
  case action(RecordedAction<Action>)
  case page(RecordedPage)
  case checkpoint(RecordedCheckpoint)
  case visit(RecordedVisit)
  /// Content that other lines refer to.
  case piece

  private enum CodingKeys: CodingKey {
    case place, checkpoint, visit, html, parts
  }

  init(from decoder: any Decoder) throws {
    let keys = try decoder.container(keyedBy: CodingKeys.self)
    self =
      if keys.contains(.place) {
        .page(try RecordedPage(from: decoder))
      } else if keys.contains(.checkpoint) {
        .checkpoint(try RecordedCheckpoint(from: decoder))
      } else if keys.contains(.visit) {
        .visit(try VisitLine(from: decoder).visit)
      } else if keys.contains(.html) || keys.contains(.parts) {
        .piece
      } else {
        .action(try RecordedAction(from: decoder))
      }
  }
}

extension RecordedLine {
  /// The version that it states; `nil` for a piece.
  var version: UInt64? {
    switch self {
    case .action(let action): action.version
    case .page(let page): page.version
    case .checkpoint(let checkpoint): checkpoint.version
    case .visit(let visit): visit.version
    case .piece: nil
    }
  }
}
