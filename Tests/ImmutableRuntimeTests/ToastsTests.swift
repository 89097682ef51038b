import Fixture
import ImmutableData
import ImmutableUI
import Testing

@testable import ImmutableRuntime

struct ToastsTests {
  private typealias Toasts = ImmutableRuntime.Toasts<FixtureState>

  private let session = Identifier()

  private func keep(
    _ name: String, in toasts: inout Toasts, of client: String, undo: Bool = false,
    for recipient: Toasts.Recipient? = nil
  ) {
    let toast =
      undo
      ? Toast<FixtureState>("Saved.", undo: .ui(.onTapTickButton)) : Toast<FixtureState>("Saved.")
    toasts.keep(self.entry(toast, of: client, for: recipient), of: name)
  }

  private func entry(
    _ toast: Toast<FixtureState>?, _ awaited: AwaitedEffect? = nil, token: String? = nil,
    of client: String = "client", for recipient: Toasts.Recipient?
  ) -> Toasts.Entry {
    Toasts.Entry(
      toast: toast, awaited: awaited, token: token, session: self.session, client: client,
      recipient: recipient ?? .window(Identifier(), stream: Identifier()), url: "/fixture",
      bytes: 0)
  }

  @Test func `the oldest toasts are evicted, first those of a client with more than a quarter`() {
    var toasts = Toasts()
    self.keep("modest", in: &toasts, of: "modest")
    for number in 0..<10_000 { self.keep("\(number)", in: &toasts, of: "greedy") }
    let greedy = ["0", "9999"].map { toasts.didEnd($0, .success, in: FixtureState()) != nil }
    #expect(toasts.bytes <= 1 << 20 + 1 << 12)
    #expect(greedy == [false, true])

    for number in 0..<10_000 { self.keep("\(number)", in: &toasts, of: "client \(number % 10)") }

    let all = ["modest", "9999"].map { toasts.didEnd($0, .success, in: FixtureState()) != nil }
    #expect(toasts.bytes <= 4 << 20)
    #expect(all == [false, true])
  }

  @Test func `the oldest undos in progress are evicted`() throws {
    var toasts = Toasts()

    for number in 0..<4_000 {
      self.keep("\(number)", in: &toasts, of: "client", undo: true)
      let undo = toasts.takeUndo(of: "\(number)", self.session)
      toasts.keep(try #require(undo), of: "undo \(number)", for: .nextPage(self.session))
    }

    #expect(toasts.bytes <= 1 << 19)
    // What is no longer known cannot be put back.
    _ = toasts.didEnd("undo 0", .failure(error: "No."), in: FixtureState())
    _ = toasts.didEnd("undo 3999", .failure(error: "No."), in: FixtureState())
    let known = ["0", "3999"].map { toasts.takeUndo(of: $0, self.session) != nil }
    #expect(known == [false, true])
  }

  @Test func `an undo that fails does not tell the end of what it would have undone`() throws {
    var toasts = Toasts()
    let recipient = Toasts.Recipient.window(Identifier(), stream: Identifier())
    let effect = AwaitedEffect(isPresented: false)
    let toast = Toast<FixtureState>("Saved.", undo: .ui(.onTapTickButton))
    toasts.keep(self.entry(toast, effect, token: "token", for: recipient), of: "post")
    let end = toasts.didEnd("post", .success, in: FixtureState())
    let undo = toasts.takeUndo(of: "post", self.session)
    toasts.keep(self.entry(nil, effect, token: "token of the undo", for: recipient), of: "undo")
    toasts.keep(try #require(undo), of: "undo", for: recipient)

    let failure = toasts.didEnd("undo", .failure(error: "No."), in: FixtureState())

    #expect(end?.token == "token" && end?.hasSucceeded == true)
    #expect(failure?.content?.message == "This could not be undone. No.")
    #expect(failure?.token == "token of the undo" && failure?.hasSucceeded == false)
  }

  @Test func `a window that sends a submission again is told an end only if that is known`() {
    var toasts = Toasts()
    let recipients = (0..<3).map { _ in
      Toasts.Recipient.window(Identifier(), stream: Identifier())
    }
    self.keep("post", in: &toasts, of: "client", for: recipients[0])

    let before = toasts.readdress("post", of: self.session, to: recipients[1])
    _ = toasts.didEnd("post", .success, in: FixtureState())
    let same = toasts.readdress("post", of: self.session, to: recipients[1])
    let after = toasts.readdress("post", of: self.session, to: recipients[2])

    #expect([before, same, after] == [false, false, true])
  }

  @Test func `the oldest toasts for next pages are evicted`() {
    var toasts = Toasts()
    let sessions = (0..<4_000).map { _ in Identifier() }

    for (number, session) in sessions.enumerated() {
      self.keep("\(number)", in: &toasts, of: "client", for: .nextPage(session))
      _ = toasts.didEnd("\(number)", .success, in: FixtureState())
    }

    let (bytes, first) = (toasts.bytes, toasts.take(for: sessions[0]))
    let last = toasts.take(for: sessions[3_999])
    #expect(bytes <= 1 << 20 + 1 << 18)
    #expect(first == nil)
    #expect(last?.message == "Saved.")
  }
}
