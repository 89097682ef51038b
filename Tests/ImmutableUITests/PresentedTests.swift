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

  @Test func `what is presented waits for what was asked for, and closes when that has succeeded`()
  {
    var local = self.waiting("add")
    #expect(local.sheet.isWaiting)
    #expect(local.submission == "SUBMISSION")

    local.settle(.waiting, at: "/")
    #expect(local.sheet.value == "add")
    local.settle(.success, at: "/")
    local.forgetSuccess()

    #expect(local == Local())
  }

  @Test func `it stays with the reason when that has failed`() {
    var local = self.waiting("add")

    local.settle(.failure("The disk is full."), at: "/")

    #expect(local.sheet.value == "add")
    #expect(local.sheet.failure == "The disk is full.")
    #expect(local.sheet.isWaiting == false)
    // Its submission is known yet: a reload tells of the failure again.
    #expect(local.submission == "SUBMISSION")
  }

  @Test func `it can be asked again when nobody knows how that has ended`() {
    var local = self.waiting("add")

    local.settle(nil, at: "/")

    #expect(local.sheet == Presented("add"))
  }

  @Test func `it closes at once where there is nothing to wait for`() {
    var local = Local()
    local.sheet.value = "add"

    local.didPost("SUBMISSION", closing: \Local.sheet, waits: false)

    #expect(local == Local())
  }

  @Test func `another value waits for nothing`() {
    var local = self.waiting("add")

    local.sheet.value = "edit"

    #expect(local.sheet == Presented("edit"))
  }

  @Test(arguments: ["add", "edit~1", "a~~b", "~", "~~", "a~", "delete~~~"])
  func `it is in the URL with what it waits for`(value: String) {
    var local = Local()
    local.sheet.value = value
    #expect(Local(local.query) == local)

    let waiting = self.waiting(value)
    #expect(Local(waiting.query) == waiting)
  }

  private struct Sheets: LocalState {
    enum Sheet: String { case add, edit }

    var sheet = Presented<Sheet>()

    static let parameters: [Parameter<Self>] = [Parameter("sheet", \.sheet)]
  }

  @Test func `an enumeration of texts is in the URL as they are`() {
    var local = Sheets()
    local.sheet.value = .edit
    #expect(local.query == Query("sheet=edit"))

    local.didPost("SUBMISSION", closing: \Sheets.sheet, waits: true)

    #expect(local.sheet.isWaiting)
    #expect(Sheets(local.query) == local)
    local.settle(.success, at: "/")
    #expect(local.sheet.value == nil)
  }
}
