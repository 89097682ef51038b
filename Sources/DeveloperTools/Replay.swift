public import Foundation

/// Carries out the actions of a recording again (``ActionRecorder``), and compares what becomes of them.
///
/// ```swift
/// let replay = Replay(initialState: AppState(), reducer: AppReducer.reduce)
/// switch try replay.run(URL(filePath: "actions.jsonl")) {
/// case .same(let actions): print("\(actions) actions, all the same")
/// case .differs(let difference): print(difference)
/// }
/// ```
public struct Replay<State: Sendable, Action: Codable & Sendable>: Sendable {
  private let initialState: State
  private let reduce: @Sendable (State, Action) throws -> State

  /// - Parameters:
  ///   - state: The state that the recorded store began with.
  ///   - reducer: What is to be compared with the recorded one.
  public init(
    initialState state: State,
    reducer: @escaping @Sendable (State, Action) throws -> State
  ) {
    self.initialState = state
    self.reduce = reducer
  }

  /// What became of a recording.
  public enum Outcome: Sendable {
    /// So many actions led to the same states.
    case same(actions: Int)
    /// The first that did not.
    case differs(Difference)
  }

  /// An action that led elsewhere.
  public struct Difference: Sendable, CustomStringConvertible {
    /// The number of its line, from 1.
    public let line: Int
    public let version: UInt64
    /// The action's name.
    public let action: String
    /// What was expected, and what came instead.
    public let reason: String
    /// What it changes now, one line for each part.
    public let changes: [String]

    public var description: String {
      let head = "line \(self.line), version \(self.version), \(self.action): \(self.reason)"
      return ([head] + self.changes.map { "  \($0)" }).joined(separator: "\n")
    }
  }

  /// - Parameter url: The recording. What follows its last line end was cut off, and is not read.
  /// - Throws: ``RecordingError`` if it is no recording, or has an action that is not one of ours: a
  ///   replay stops there and skips nothing.
  /// - Complexity: O(n), n bytes, besides the reducer.
  public func run(_ url: URL) throws -> Outcome {
    let lines = try Self.lines(of: url)
    let decoder = JSONDecoder()
    guard let first = lines.first,
      let header = try? decoder.decode(RecordingHeader.self, from: first)
    else { throw RecordingError("\(url.path) is no recording.") }
    guard header.format == RecordingFormat.number else {
      throw RecordingError(
        "\(url.path) has format \(header.format); this program reads \(RecordingFormat.number).")
    }
    var state = self.initialState
    var digest = StateDigest(of: state)
    guard digest.text == header.digest else {
      throw RecordingError("\(url.path) begins with another state than this program.")
    }
    for (index, line) in lines.enumerated().dropFirst() {
      let recorded: RecordedAction<Action>
      do {
        recorded = try decoder.decode(RecordedAction<Action>.self, from: line)
      } catch {
        throw RecordingError(
          "Line \(index + 1) has no action of this program: \(Self.words(error))")
      }
      let old = state
      let result = Result { try self.reduce(old, recorded.action) }
      if case .success(let new) = result {
        digest.follow(from: old, to: new)
        state = new
      }
      if let reason = Self.reason(recorded, result, digest) {
        return .differs(
          Difference(
            line: index + 1,
            version: recorded.version,
            action: ActionName(recorded.action).cases,
            reason: reason,
            changes: StateDifference(from: old, to: state).changes.map {
              "\($0.path): \($0.old ?? "none") → \($0.new ?? "none")"
            }
          ))
      }
    }
    return .same(actions: lines.count - 1)
  }

  /// Why a result is not the recorded one; `nil` if it is.
  private static func reason(
    _ recorded: RecordedAction<Action>,
    _ result: Result<State, any Error>,
    _ digest: StateDigest
  ) -> String? {
    switch (result, recorded.refusal) {
    case (.success, let refusal?): "it was refused (\(refusal)), and no longer is"
    case (.failure(let error), nil): "it was not refused, and is now: \(error)"
    case (.failure, _?): nil
    case (.success, nil):
      digest.text == recorded.digest ? nil : "it leads to another state than it did"
    }
  }

  private static func lines(of url: URL) throws -> [Data] {
    let data: Data
    do {
      data = try Data(contentsOf: url, options: .mappedIfSafe)
    } catch {
      throw RecordingError("\(url.path) cannot be read.")
    }
    guard let end = data.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
    return data[..<end].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
  }

  private static func words(_ error: any Error) -> String {
    guard let error = error as? DecodingError else { return "\(error)" }
    func path(_ context: DecodingError.Context) -> String {
      let path = context.codingPath.map(\.stringValue).joined(separator: ".")
      return path.isEmpty ? context.debugDescription : "\(path): \(context.debugDescription)"
    }
    return switch error {
    case .typeMismatch(_, let context), .valueNotFound(_, let context): path(context)
    case .keyNotFound(let key, let context): "\(path(context)) (\(key.stringValue))"
    case .dataCorrupted(let context): path(context)
    @unknown default: "\(error)"
    }
  }
}
