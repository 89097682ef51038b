import Foundation

/// A file that a ``Recorder`` has written.
struct Recording<Action: Codable> {
  private let lines: [Data]
  private let index: RecordedIndex
  private let upcasters: ArraySlice<Upcaster>
  let header: RecordingHeader

  /// - Parameters:
  ///   - url: The file. Anything after its last line end is ignored.
  ///   - upcasters: All upcasters of this program; with `nil`, actions and states are read without
  ///     conversion.
  /// - Throws: ``RecordingError`` if it is not a recording, or if it is from a newer release.
  init(_ url: URL, _ upcasters: [Upcaster]?) throws {
    self.lines = try RecordingFormat.lines(of: url)
    guard let first = self.lines.first,
      let header = try? JSONDecoder().decode(RecordingHeader.self, from: first)
    else {
      let seal = self.lines.first.flatMap {
        try? JSONDecoder().decode(RecordingSeal.Header.self, from: $0)
      }
      throw RecordingError(
        seal == nil ? "\(url.path) is no recording." : "\(url.path) is sealed. Give --key FILE.")
    }
    guard RecordingFormat.readable.contains(header.format) else {
      throw RecordingError(
        "\(url.path) has format \(header.format); this program reads \(RecordingFormat.number).")
    }
    let form = header.form ?? 0
    if let upcasters, form > upcasters.count {
      throw RecordingError("\(url.path) is of a newer release. Start that one.")
    }
    self.header = header
    self.index = RecordedIndex(self.lines)
    self.upcasters = (upcasters ?? []).dropFirst(form)
  }

  /// A line with its end, as this program would have written it.
  ///
  /// - Parameter number: The number of the line, from 1.
  /// - Throws: What an upcaster throws; `DecodingError`.
  func data(_ number: Int) throws -> Data {
    let data = try self.whole(number)
    guard number > 1, self.upcasters.isEmpty == false else { return data + Data("\n".utf8) }
    var line = try JSONDecoder().decode(JSONValue.self, from: data)
    for upcaster in self.upcasters { try upcaster(&line) }
    return try RecordingFormat.encode(line)
  }

  /// A line with the payload that it refers to.
  ///
  /// - Throws: ``RecordingError`` if the recording does not have that.
  private func whole(_ number: Int) throws -> Data {
    let data = self.lines[number - 1]
    // The line of an action without its payload.
    guard number > 1, data.starts(with: Data("{\"digest\":".utf8)) else { return data }
    guard let first = RecordedIndex.tag(of: data).flatMap({ self.index[$0] }),
      let end = self.lines[first - 1].range(of: RecordedTags.afterPayload, options: .backwards)
    else { throw RecordingError("line \(number) has no action.") }
    return self.lines[first - 1][..<end.lowerBound] + Data(",".utf8) + data.dropFirst()
  }

  /// The content that a tag stands for.
  ///
  /// - Returns: `nil` if the recording does not have it, or if it is larger than any page.
  func html(_ tag: String) -> String? {
    var room = RecordingFormat.contentLimit
    return self.html(tag, depth: 2, &room)
  }

  /// - Parameters:
  ///   - depth: How deep parts may be nested: a region has groups of rows.
  ///   - room: The bytes that may still be read. A small file can name the same part many times.
  private func html(_ tag: String, depth: Int, _ room: inout Int) -> String? {
    guard depth >= 0, let number = self.index[tag] else { return nil }
    let line = self.lines[number - 1]
    room -= line.count + RecordingFormat.contentOverhead
    guard room >= 0, let piece = try? JSONDecoder().decode(RecordedPiece.self, from: line) else {
      return nil
    }
    if let html = piece.html { return html }
    var whole = ""
    for part in piece.parts ?? [] {
      guard let html = self.html(part, depth: depth - 1, &room) else { return nil }
      whole += html
    }
    return whole
  }

  /// The place that no window shows any more from a line on; `nil` if the line does not say that.
  func endedPlace(_ number: Int) -> Int? {
    let line = self.lines[number - 1]
    guard line.starts(with: Data("{\"place\":".utf8)),
      let page = try? JSONDecoder().decode(RecordedPage.self, from: line), page.tags == nil
    else { return nil }
    return page.place
  }

  /// The number of the checkpoint at its beginning; `nil` if states cannot be written, or in
  /// recordings of older releases that begin with the store's initial state.
  var firstCheckpoint: Int? {
    guard self.lines.count > 1, case .checkpoint? = try? self.line(2) else { return nil }
    return 2
  }

  /// The state of a checkpoint.
  ///
  /// - Parameter number: The number of its line.
  /// - Throws: ``RecordingError`` if it is not a state of this program.
  /// - Complexity: O(n), n bytes of the state.
  func state<State>(at number: Int) throws -> State {
    do {
      guard let type = State.self as? any Decodable.Type,
        let state = try self.checkpoint(at: number, type) as? State
      else { throw RecordingError("states of this program are not Codable.") }
      return state
    } catch {
      throw RecordingError("Line \(number) has no state of this program: \(DecodingProblem(error))")
    }
  }

  /// The state of a checkpoint, as JSON.
  ///
  /// - Parameter number: The number of its line, whose keys are sorted.
  func checkpointText(at number: Int) throws -> String {
    let line = String(decoding: try self.data(number), as: UTF8.self)
    let end = line.range(of: ",\"digest\":", options: .backwards)?.lowerBound ?? line.endIndex
    return String(line[..<end].dropFirst("{\"checkpoint\":".count))
  }

  private func checkpoint<State: Decodable>(at number: Int, _: State.Type) throws -> Any {
    try JSONDecoder().decode(CheckpointLine<State>.self, from: self.data(number)).checkpoint
  }

  /// The numbers of the lines after the header.
  var numbers: Range<Int> { 2..<self.lines.count + 1 }

  /// - Parameter number: The number of a line, from 2.
  /// - Throws: ``RecordingError`` if this program does not know its content.
  func line(_ number: Int) throws -> RecordedLine<Action> {
    let line: RecordedLine<Action>
    do {
      line = try JSONDecoder().decode(RecordedLine<Action>.self, from: self.data(number))
    } catch {
      let begins = try? JSONDecoder().decode(RecordingHeader.self, from: self.lines[number - 1])
      throw RecordingError(
        begins == nil
          ? "Line \(number) has no action of this program: \(DecodingProblem(error))"
          : "Line \(number) begins another recording. Replay each file on its own.")
    }
    guard (line.version ?? 0) <= RecordingFormat.versionLimit else {
      throw RecordingError("Line \(number) has a version that no server reaches.")
    }
    return line
  }
}
