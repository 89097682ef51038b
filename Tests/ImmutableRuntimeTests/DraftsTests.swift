import Testing

@testable import ImmutableRuntime
@testable import ImmutableUI

struct DraftsTests {
  private let session = Identifier()

  /// The fields of a form.
  private func fields(_ count: Int) -> FormFields {
    FormFields(Query("\(FormField.form)=save&text=" + String(repeating: "a", count: count)))
  }

  /// Which of these drafts there are.
  private func known(_ names: ClosedRange<Int>, in drafts: Drafts) -> [Bool] {
    names.map { drafts["\($0)", of: self.session] != nil }
  }

  @Test func `only the session that has posted something gets its draft`() {
    var drafts = Drafts()

    drafts.keep(self.fields(9), of: "post", self.session, "client")

    #expect(drafts["post", of: self.session]?.fields["text"] == "aaaaaaaaa")
    #expect(drafts["post", of: Identifier()] == nil)
    #expect(drafts["post", of: nil] == nil)
  }

  @Test func `a session's oldest drafts go first, and only as many as there is no room for`() {
    var drafts = Drafts()
    let other = Identifier()
    drafts.keep(self.fields(300_000), of: "other", other, "client")

    for number in 0...3 {
      drafts.keep(self.fields(300_000), of: "\(number)", self.session, "client")
    }
    let full = self.known(0...3, in: drafts)
    drafts.remove("1")
    drafts.keep(self.fields(300_000), of: "4", self.session, "client")

    #expect(full == [false, true, true, true])
    #expect(self.known(2...4, in: drafts) == [true, true, true])
    #expect(drafts["other", of: other] != nil)
  }

  @Test func `a draft that alone is larger than a session's share is not kept`() {
    var drafts = Drafts()
    drafts.keep(self.fields(9), of: "1", self.session, "client")

    drafts.keep(self.fields(1 << 20), of: "2", self.session, "client")

    #expect(self.known(1...2, in: drafts) == [true, false])
  }
}
