import HTTPConnections
import HTTPTypes
import ImmutableUI
import Testing

@testable import ImmutableServer

struct HTTPFailureTests {
  @Test(arguments: [
    (404, "There’s nothing here.", false), (410, "There’s nothing here.", false),
    (400, "That didn’t work.", false), (413, "That didn’t work.", false),
    (429, "Not right now.", true), (503, "Not right now.", true),
    (500, "Something went wrong.", true),
  ])
  func `an error page is headed in words`(code: Int, title: String, isTemporary: Bool) {
    let failure = HTTPFailure(status: HTTPResponse.Status(code: code), message: "")

    #expect(failure.title == title)
    #expect(failure.isTemporary == isTemporary)
  }

  @Test(arguments: [(100, "100 bytes"), (65_536, "64 kB"), (12 << 20, "12 MB")])
  func `a limit is a size that people know`(bytes: Int, size: String) {
    let failure = HTTPFailure.bodyTooLarge(bytes)

    #expect(failure.message == "That is more than \(size). Send less.")
  }

  @Test func `a preview that cannot be shown says why`() {
    let failure = HTTPFailure(PreviewFailure("The reducer refuses an action of this preview."))

    #expect(failure.status == .internalServerError)
    #expect(failure.message == "The reducer refuses an action of this preview.")
  }
}
