import ImmutableData
import Testing

@testable import ImmutableUI

struct PresentedTests {
  private struct Local: LocalState {
    var sheet = Presented<String>()

    static let parameters: [Parameter<Self>] = [Parameter("sheet", \.sheet)]
  }

  private func waiting(_ value: String) -> Local {
    var local = Local()
    local.sheet.value = value
    local.didPost("SUBMISSION", closing: \Local.sheet, waits: true)
    return local
  }

  @Test func `a presented value waits for its submission and closes on success`() {
    var local = self.waiting("add")
    #expect(local.sheet.isWaiting)
    #expect(local.submissions == ["SUBMISSION"])

    local.settle("SUBMISSION", .waiting, at: "/")
    #expect(local.sheet.value == "add")
    local.settle("SUBMISSION", .success, at: "/")
    local.forgetSuccess()

    #expect(local == Local())
  }

  @Test func `a presented value stays with the error when its submission fails`() {
    var local = self.waiting("add")

    local.settle("SUBMISSION", .failure(error: "The disk is full."), at: "/")

    #expect(local.sheet.value == "add")
    #expect(local.sheet.failure == "The disk is full.")
    #expect(local.sheet.isWaiting == false)
    // Its submission is known yet: a reload tells of the failure again.
    #expect(local.submissions == ["SUBMISSION"])
  }

  @Test func `a presented value can be submitted again when the outcome is unknown`() {
    var local = self.waiting("add")

    local.settle("SUBMISSION", nil, at: "/")

    #expect(local.sheet == Presented("add"))
  }

  @Test func `a presented value closes at once when there is nothing to wait for`() {
    var local = Local()
    local.sheet.value = "add"

    local.didPost("SUBMISSION", closing: \Local.sheet, waits: false)

    #expect(local == Local())
  }

  @Test func `a new presented value waits for nothing`() {
    var local = self.waiting("add")

    local.sheet.value = "edit"

    #expect(local.sheet == Presented("edit"))
  }

  @Test(arguments: ["add", "edit~1", "a~~b", "~", "~~", "a~", "delete~~~"])
  func `a presented value and its submission are in the URL`(value: String) {
    var local = Local()
    local.sheet.value = value
    #expect(Local(local.query) == local)

    let waiting = self.waiting(value)
    #expect(Local(waiting.query) == waiting)
  }

  @Test(arguments: [256, 257])
  func `a presented value stays while it waits, if its text was not too long`(bytes: Int) {
    var local = Local()
    local.sheet.value = String(repeating: "a", count: bytes)
    let wasOpen = Local(local.query) == local
    #expect(wasOpen == (bytes <= Parameter<Local>.defaultLimit))

    let submission = Submission.tag(of: "token", at: "/").text
    local.didPost(submission, closing: \Local.sheet, waits: true)

    #expect((Local(local.query) == local) == wasOpen)
  }

  @Test(arguments: [Parameter<Local>.defaultLimit, Parameter<Local>.defaultLimit + 1])
  func `a value that is too long to be written is not read either`(bytes: Int) {
    let text = String(repeating: "a", count: bytes)

    let local = Local(Query([QueryItem(name: "sheet", value: text)]))

    #expect(local.sheet.value == (bytes > Parameter<Local>.defaultLimit ? nil : text))
  }

  private struct Two: LocalState {
    var left = Presented<String>()
    var right = Presented<String>()

    static let parameters: [Parameter<Self>] = [
      Parameter("left", \.left), Parameter("right", \.right),
    ]
  }

  @Test func `a submission settles only what waits for it`() {
    var local = Two()
    (local.left.value, local.right.value) = ("a", "b")
    local.didPost("LEFT", closing: \Two.left, waits: true)
    local.didPost("RIGHT", closing: \Two.right, waits: true)
    #expect(local.submissions == ["LEFT", "RIGHT"])

    local.settle("RIGHT", .success, at: "/")
    #expect(local.left.isWaiting)
    #expect(local.right.value == nil)

    local.settle("LEFT", .failure(error: "No."), at: "/")
    #expect(local.left.failure == "No.")
    #expect(local.submissions == ["LEFT"])
  }

  private struct Sheets: LocalState {
    enum Sheet: String { case add, edit }

    var sheet = Presented<Sheet>()

    static let parameters: [Parameter<Self>] = [Parameter("sheet", \.sheet)]
  }

  @Test func `a string enumeration is in the URL with its raw values`() {
    var local = Sheets()
    local.sheet.value = .edit
    #expect(local.query == Query("sheet=edit"))

    local.didPost("SUBMISSION", closing: \Sheets.sheet, waits: true)

    #expect(local.sheet.isWaiting)
    #expect(Sheets(local.query) == local)
    local.settle("SUBMISSION", .success, at: "/")
    #expect(local.sheet.value == nil)
  }
}
