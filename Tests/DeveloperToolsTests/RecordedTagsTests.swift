import Foundation
import HTMLTemplates
import ImmutableData
import ImmutableUI
import Logging
import Testing

@testable import DeveloperTools

@MainActor struct RecordedTagsTests {
  private typealias State = ReplayTests.State
  private typealias Action = ReplayTests.Action

  struct File: ~Copyable {
    let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).jsonl")

    var lines: [Substring] {
      get throws { try String(contentsOf: self.url, encoding: .utf8).split(separator: "\n") }
    }

    deinit { try? FileManager.default.removeItem(at: self.url) }
  }

  private static let name = String(repeating: "A long name. ", count: 200)

  /// The same large payload three times, and small ones.
  private func record(to url: URL) async throws {
    let store = ImmutableData.Store(initialState: State(), reducer: ReplayTests.reduce)
    let recorder = try Recorder(store, to: url, privacy: .raw, logger: Logger(label: "test"))
    for _ in 1...3 {
      try store.dispatch(action: .put(row: ReplayTests.Row(id: 1, name: Self.name)))
      try store.dispatch(action: .remove(id: 1))
    }
    await recorder.finish()
  }

  @Test func `a large payload is in a file only once`() async throws {
    let file = File()
    try await self.record(to: file.url)

    #expect(try file.lines.filter { $0.contains(Self.name) }.count == 1)
    #expect(try file.lines.filter { $0.contains("\"remove\"") }.count == 3)
    let replay = Replay(initialState: State(), reducer: ReplayTests.reduce)
    guard case .same(actions: 6, pages: 0) = try replay.compare(file.url).outcome else {
      Issue.record("\(try replay.compare(file.url).outcome)")
      return
    }
  }

  @Test func `each file of a recording has a large payload once`() async throws {
    let folder = try RecordingFilesTests.Folder()
    let store = ImmutableData.Store(initialState: State(), reducer: ReplayTests.reduce)
    let recorder = try Recorder(
      store, to: folder.first, privacy: .raw, limit: 200_000, logger: Logger(label: "test"))
    for _ in 1...500 {
      try store.dispatch(action: .put(row: ReplayTests.Row(id: 1, name: Self.name)))
      try store.dispatch(action: .remove(id: 1))
    }
    await recorder.finish()

    let files = try folder.files
    #expect(files.count > 2)
    for (_, url) in files.dropLast() {
      let payloads = try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
        .filter { $0.contains("\"put\"") && $0.contains(Self.name) }
      #expect(payloads.count == 1)
    }
  }

  @Test func `upcasters convert a payload wherever it is used`() async throws {
    let file = File()
    try await self.record(to: file.url)
    let text = try String(contentsOf: file.url, encoding: .utf8)
    try text.replacing("\"put\":", with: "\"keep\":")
      .write(to: file.url, atomically: true, encoding: .utf8)

    let replay = Replay(
      initialState: State(), reducer: ReplayTests.reduce,
      upcasters: [Upcaster(action: { $0.rename("keep", to: "put") })])

    guard case .same(actions: 6, pages: 0) = try replay.compare(file.url).outcome else {
      Issue.record("\(try replay.compare(file.url).outcome)")
      return
    }
  }

  @Test func `an action whose payload is missing makes a replay impossible`() async throws {
    let file = File()
    try await self.record(to: file.url)
    let lines = try file.lines.enumerated().filter { $0.offset != 2 }.map(\.element)
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file.url)

    let verdict = try Replay(initialState: State(), reducer: ReplayTests.reduce).verdict(file.url)

    guard case .impossible(let reason) = verdict else {
      Issue.record("\(verdict)")
      return
    }
    #expect(reason.contains("Line 4 has no action"))
  }

  private static func row(_ number: Int, _ text: String) -> RenderedRow {
    var writer = HTMLWriter()
    writer.write(trusted: "<li>\(text)</li>")
    return RenderedRow(key: "\(number)", writer)
  }

  private static func region(_ texts: [String]) -> Rendered {
    var writer = HTMLWriter()
    writer.write("<ul>")
    let rows = texts.enumerated().map { Self.row($0.offset, $0.element) }
    writer.hole(RenderedList(name: "rows", rows: rows, values: texts))
    writer.write("</ul>")
    return Rendered(writer)
  }

  @Test func `only what has changed of a region is written again`() throws {
    let file = File()
    let texts = (0..<200).map { "row \($0)" }
    var changed = texts
    changed[50] = "another"
    let regions = [Self.region(texts), Self.region(changed)]
    var tags = RecordedTags()

    let pieces = regions.map { tags.missingPieces(of: $0) }

    #expect(pieces[1].compactMap(\.html) == ["<li>another</li>"])
    #expect(pieces[1].count == 3)
    #expect(tags.missingPieces(of: regions[0]).isEmpty)
    let header = RecordingHeader(format: RecordingFormat.number, digest: "")
    let lines =
      try [RecordingFormat.encode(header)] + pieces.joined().map(RecordingFormat.encode)
    try lines.reduce(Data(), +).write(to: file.url)
    let recording = try Recording<Action>(file.url, nil)
    for (region, texts) in zip(regions, [texts, changed]) {
      let html = "<ul>" + texts.map { "<li>\($0)</li>" }.joined() + "</ul>"
      #expect(recording.html(region.tag.text) == html)
    }
    #expect(recording.html("nothing") == nil)
  }

  @Test func `parts that contain themselves have no content`() throws {
    let file = File()
    let tag = Self.region(["a"]).tag
    let lines = try [
      RecordingFormat.encode(RecordingHeader(format: RecordingFormat.number, digest: "")),
      RecordingFormat.encode(RecordedPiece(tag, parts: [tag.text, tag.text])),
    ]
    try lines.reduce(Data(), +).write(to: file.url)

    #expect(try Recording<Action>(file.url, nil).html(tag.text) == nil)
  }

  @Test func `parts that become larger than any page have no content`() throws {
    let file = File()
    let tags = ["a", "b", "c"].map { Self.region([$0]).tag }
    let html = Array(repeating: UInt8(ascii: "x"), count: 1_000)
    let lines = try [
      RecordingFormat.encode(RecordingHeader(format: RecordingFormat.number, digest: "")),
      RecordingFormat.encode(RecordedPiece(tags[0], html: html)),
      RecordingFormat.encode(
        RecordedPiece(tags[1], parts: Array(repeating: tags[0].text, count: 300))),
      RecordingFormat.encode(
        RecordedPiece(tags[2], parts: Array(repeating: tags[1].text, count: 300))),
    ]
    try lines.reduce(Data(), +).write(to: file.url)
    let recording = try Recording<Action>(file.url, nil)

    #expect(recording.html(tags[1].text)?.utf8.count == 300_000)
    #expect(recording.html(tags[2].text) == nil)
  }
}
