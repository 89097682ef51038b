import Foundation
import Testing

@testable import DeveloperTools

struct ComparedPagesTests {
  private func region(_ html: String?, at place: Int = 1) -> PlayedRegion {
    PlayedRegion(
      place: place, url: "/counter", name: "root",
      content: html.map { PlayedRegion.Content(tag: $0, html: $0) })
  }

  @Test func `a region that only one build has changed is compared with what the other had`() {
    var pages = ComparedPages()

    let first = pages.differences([self.region("1")], [self.region("1")])
    let second = pages.differences([], [self.region("2")])
    let third = pages.differences([self.region("2")], [])
    let gone = pages.differences([self.region(nil)], [])

    #expect(first.isEmpty)
    #expect(second.map(\.title) == ["/counter, region root (1)"])
    #expect(second.map { [$0.old, $0.new] } == [["1", "2"]])
    #expect(third.isEmpty)
    #expect(gone.map { [$0.old, $0.new] } == [["", "2"]])
  }

  @Test func `a page that no window shows any more is forgotten`() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
    defer { try? FileManager.default.removeItem(at: url) }
    let lines = try [
      RecordingFormat.encode(RecordingHeader(format: RecordingFormat.number, digest: "")),
      RecordingFormat.encode(RecordedPage(place: 1, version: 1, tags: ["root": "1"])),
      RecordingFormat.encode(RecordedPage(place: 1, version: 1, tags: nil)),
    ]
    try lines.reduce(Data(), +).write(to: url)
    let recording = try Recording<JSONValue>(url, nil)
    var pages = ComparedPages()

    for number in recording.numbers {
      _ = pages.differences([self.region("1")], [self.region("1"), self.region("1", at: 2)])
      recording.endedPlace(number).map { pages.end($0) }
    }

    #expect(recording.numbers.map(recording.endedPlace) == [nil, 1])
    #expect(pages.count == 1)
  }
}
