import AnimalsData
import ImmutableRuntime
import ImmutableUI
import Testing
import WindowTesting

@testable import AnimalsUI

struct AnimalsToastTests {
  private static let otter = ["name": "Otter", "category": "Mammal", "diet": "Carnivore"]

  @Test func `a delete shows a toast in its own window, and undo restores the animal`() async throws
  {
    let fixture = try await AnimalsFixture()
    let window = try await fixture.open("?category=Mammal")
    let other = try await fixture.open("?category=Mammal")

    try await window.submit("rows", ["row": "delete~Dog"])
    try await fixture.app.settle()
    try await window.expect("Cat × Red kangaroo")
    try await other.expect("Cat × Red kangaroo")
    #expect(window.toast == "Dog deleted.")
    #expect(other.toast == nil)

    try await window.undo()
    try await fixture.app.settle()

    try await window.expect("Cat × Dog × Red kangaroo")
    try await other.expect("Cat × Dog × Red kangaroo")
    #expect(window.toast == "Dog is back.")
    try await fixture.app.finish()
  }

  @Test func `a save shows a toast only after it has finished`() async throws {
    let fixture = try await AnimalsFixture()
    let window = try await fixture.open("?category=Mammal&sheet=add")
    await fixture.memory.hold()

    try await window.submit("save", Self.otter)
    await fixture.memory.arrival()
    try await fixture.app.frame()
    _ = try window.receive()
    #expect(window.toast == nil)
    await fixture.memory.release()
    try await fixture.app.settle()

    try await window.expect("Dog × Otter ×")
    #expect(window.toast == "Otter added.")
    try await window.undo()
    try await fixture.app.settle()
    try await window.expect("Dog × Red kangaroo")
    #expect(window.toast == "Otter deleted.")
    try await fixture.app.finish()
  }

  @Test func `a change can be undone unless someone changed it again`() async throws {
    let fixture = try await AnimalsFixture()
    let was = "?category=Mammal&sheet=edit&was=Carnivore%7EMammal%7EDog"
    let window = try await fixture.open("/Dog\(was)")
    try await window.submit("save", Self.otter.merging(["animalId": "Dog"]) { $1 })
    try await fixture.app.settle()
    try await window.expect("Cat × Otter ×")
    #expect(window.toast == "Otter saved.")

    try await window.undo()
    try await fixture.app.settle()
    try await window.expect("Cat × Dog ×")
    #expect(window.toast == "Dog saved.")

    await fixture.memory.change(.make("Dog", "Wolf"))
    try await window.submit("refresh")
    try await fixture.app.settle()
    try await window.expect("Wolf")
    let answer = try await window.undo()

    #expect(answer.refusal == Refusal(.gone, "This can no longer be undone."))
  }

  @Test func `an animal is put into another category, which can be undone`() async throws {
    let fixture = try await AnimalsFixture()
    let window = try await fixture.open("?category=Mammal")

    try await window.submit("rows", ["row": "put~Dog~Bird"])
    try await fixture.app.settle()
    try await window.expect("Cat × Red kangaroo ×")
    #expect(window.toast == "Dog moved to Bird.")

    try await window.undo()
    try await fixture.app.settle()
    try await window.expect("Cat × Dog × Red kangaroo ×")
    #expect(window.toast == "Dog moved to Mammal.")
    try await fixture.app.finish()
  }

  @Test func `a move can be undone unless someone moved the animal again`() async throws {
    let fixture = try await AnimalsFixture()
    let window = try await fixture.open("?category=Mammal&order=own")
    let other = try await fixture.open("?category=Mammal&order=own")
    try await window.submit("rows", ["row": "move~Dog~~Cat"])
    try await fixture.app.settle()
    try await window.expect("Dog × Cat × Red kangaroo ×")
    #expect(window.toast == "Dog moved.")

    try await window.undo()
    try await fixture.app.settle()
    try await window.expect("Cat × Dog × Red kangaroo ×")
    #expect(window.toast == "Dog is back in its place.")
    #expect(await fixture.memory.animals["Dog"]?.position == nil)

    try await window.submit("rows", ["row": "move~Dog~~Cat"])
    try await fixture.app.settle()
    _ = try window.receive()
    try await other.submit("rows", ["row": "move~Dog~Cat~Kangaroo"])
    try await fixture.app.settle()
    try await window.expect("Cat × Dog × Red kangaroo ×")
    let answer = try await window.undo()

    #expect(answer.refusal == Refusal(.gone, "This can no longer be undone."))
  }

  @Test func `an undo works once, and only in its own session`() async throws {
    let fixture = try await AnimalsFixture()
    let window = try await fixture.open("?category=Mammal")
    try await window.submit("rows", ["row": "delete~Dog"])
    try await fixture.app.settle()
    let submission = try #require(try window.receiveToast())

    func undo(as session: Identifier) async throws -> SubmissionAnswer {
      let fields = [
        QueryItem(name: FormField.form, value: FormField.undo),
        QueryItem(name: FormField.submission, value: submission),
      ]
      return try await fixture.app.windows.submit(
        FormFields(Query(fields)), to: "/animals", session: session, window: nil)
    }
    let other = try await undo(as: Identifier())
    // Its effect would replace the toast.
    await fixture.memory.hold()
    let answers = [try await window.undo(), try await window.undo()]
    await fixture.memory.release()
    try await fixture.app.settle()

    let refusal = Refusal(.gone, "This can no longer be undone.")
    #expect(other.refusal == refusal)
    #expect(answers.map(\.refusal) == [nil, refusal])
    try await window.expect("Cat × Dog × Red kangaroo")
  }

  @Test func `an animal that is back already is not restored again`() async throws {
    let fixture = try await AnimalsFixture()
    let window = try await fixture.open("?category=Mammal")
    let other = try await fixture.open("?category=Mammal&sheet=reload")
    try await window.submit("rows", ["row": "delete~Dog"])
    try await fixture.app.settle()
    try await other.submit("reload")
    try await fixture.app.settle()
    try await window.expect("Cat × Dog × Red kangaroo")

    let answer = try await window.undo()

    #expect(answer.refusal == Refusal(.gone, "This animal has already been restored."))
    #expect(window.text.matches(of: /Dog ×/).count == 1)
  }

  @Test func `an animal cannot be restored while its category is missing`() async throws {
    let fixture = try await AnimalsFixture()
    let window = try await fixture.open("?category=Mammal")
    try await window.submit("rows", ["row": "delete~Dog"])
    try await fixture.app.settle()
    _ = try window.receive()
    try await fixture.refresh([.bird])

    let answer = try await window.undo()
    let message = "Its category no longer exists, so this animal cannot be restored."
    #expect(answer.refusal == Refusal(.conflict, message))
    try await fixture.refresh([.bird, .mammal])
    try await window.undo()
    try await fixture.app.settle()

    let again = try await fixture.open("?category=Mammal")
    #expect(again.text.contains("Dog ×"))
  }

  @Test func `a failed undo says why and can be retried`() async throws {
    let fixture = try await AnimalsFixture()
    let window = try await fixture.open("?category=Mammal")
    try await window.submit("rows", ["row": "delete~Dog"])
    try await fixture.app.settle()
    try await window.expect("Cat × Red kangaroo")

    await fixture.memory.fail()
    try await window.undo()
    try await fixture.app.settle()
    _ = try window.receive()
    #expect(window.toast?.hasPrefix("This could not be undone. ") == true)
    #expect(window.text.contains("Dog") == false)

    await fixture.memory.fail(nil)
    try await window.undo()
    try await fixture.app.settle()
    try await window.expect("Cat × Dog × Red kangaroo")
  }

  @Test func `a failed delete shows no success toast`() async throws {
    let fixture = try await AnimalsFixture()
    let window = try await fixture.open("?category=Mammal")
    await fixture.memory.fail()

    try await window.submit("rows", ["row": "delete~Dog"])
    try await fixture.app.settle()
    _ = try window.receive()

    #expect(window.toast == nil)
    #expect(window.text.contains("Dog"))
  }

  @Test
  func `without JavaScript the answer says why an undo failed, and it can be retried`()
    async throws
  {
    let fixture = try await AnimalsFixture()
    let session = Identifier()
    let window = try await fixture.open("?category=Mammal", session: session)
    try await window.submit("rows", ["row": "delete~Dog"])
    try await fixture.app.settle()
    let submission = try #require(try window.receiveToast())
    let fields = [
      QueryItem(name: FormField.form, value: FormField.undo),
      QueryItem(name: FormField.submission, value: submission),
    ]

    func page(as session: Identifier) async throws -> ToastContent? {
      let refused = RefusedSubmission(
        form: FormField.undo,
        fields: FormFields(Query(fields)),
        refusal: Refusal(.conflict, "Not now.")
      )
      let page = try await fixture.app.windows.page(
        "/animals", query: Query(), session: session, refused: refused)
      guard case .content(let content) = page else { return nil }
      return content.toast
    }
    let (own, other) = (try await page(as: session), try await page(as: Identifier()))

    #expect([own?.message, other?.message] == ["Not now.", "Not now."])
    #expect(own?.submission == submission)
    #expect(other?.submission == nil)
  }

  @Test func `without JavaScript the session's next page shows the toast once`() async throws {
    let fixture = try await AnimalsFixture()
    let (session, windows) = (Identifier(), fixture.app.windows)
    _ = try await fixture.open("?category=Mammal")
    let fields = [
      QueryItem(name: FormField.form, value: "rows"),
      QueryItem(name: "row", value: "delete~Dog"),
    ]

    _ = try await windows.submit(
      FormFields(Query(fields)), to: "/animals", session: session, window: nil, waits: true)
    // On a busy machine the answer may not have waited for the effect.
    try await fixture.app.settle()
    let toasts = [
      try await windows.toast("/animals", Identifier()),
      try await windows.toast("/animals", session),
      try await windows.toast("/animals", session),
    ]

    #expect(toasts.map { $0?.message } == [nil, "Dog deleted.", nil])
    #expect(toasts[1]?.submission != nil)
  }
}

extension AnimalsFixture {
  /// As if somebody had fetched everything again, and there were these categories.
  fileprivate func refresh(_ categories: [AnimalsData.Category]) async throws {
    let animals = Array(await self.memory.animals.values)
    try await self.store.dispatch(
      action: .data(
        .persistentSession(.didRefresh(result: .success(animals: animals, categories: categories))))
    )
    try await self.app.settle()
  }
}

extension TestWindow {
  /// The submission of the newest toast, after what has been pushed.
  fileprivate func receiveToast() throws -> String? {
    _ = try self.receive()
    return self.toastSubmission
  }
}

extension SubmissionAnswer {
  fileprivate var refusal: Refusal? {
    if case .refused(let refusal, version: _) = self { refusal } else { nil }
  }
}

extension WindowGroup {
  fileprivate func toast(_ path: String, _ session: Identifier) async throws -> ToastContent? {
    guard case .content(let content) = try await self.page(path, query: Query(), session: session)
    else { return nil }
    return content.toast
  }
}
