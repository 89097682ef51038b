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

  @Test func `a preview that cannot be shown says why`() {
    let failure = HTTPFailure(PreviewFailure("The reducer refuses an action of this preview."))

    #expect(failure.status == .internalServerError)
    #expect(failure.message == "The reducer refuses an action of this preview.")
  }
}
