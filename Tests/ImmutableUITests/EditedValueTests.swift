import ImmutableUI
import Testing

struct EditedValueTests {
  private struct Note {
    var title: String
    var text = ""
  }

  /// Whether a title is undecided; `nil` for `was`: unknown.
  private static func isUndecided(
    _ mine: String?, was: String?, now: String, isSeen: Bool = true, _ side: ConflictSide? = nil
  ) -> Bool {
    let edited = EditedValue(
      now: Note(title: now), was: was.map { Note(title: $0) }, isSeen: isSeen)
    return edited.isUndecided(\.title, mine, side)
  }

  @Test func `only two different changes of one part are undecided`() {
    #expect(Self.isUndecided("mine", was: "old", now: "theirs"))

    #expect(Self.isUndecided("mine", was: "old", now: "old") == false)
    #expect(Self.isUndecided("old", was: "old", now: "theirs") == false)
    #expect(Self.isUndecided("same", was: "old", now: "same") == false)
    #expect(Self.isUndecided(nil, was: "old", now: "theirs") == false)
  }

  @Test func `a user decides about what they have seen`() {
    #expect(Self.isUndecided("mine", was: "old", now: "theirs", .mine) == false)
    #expect(Self.isUndecided("mine", was: "old", now: "newer", isSeen: false, .mine))
    #expect(Self.isUndecided("mine", was: "old", now: "newer", isSeen: false, .theirs) == false)
  }

  @Test func `without the original, everything unseen is undecided`() {
    #expect(Self.isUndecided("mine", was: nil, now: "theirs", isSeen: false))
    #expect(Self.isUndecided("mine", was: nil, now: "theirs") == false)
  }

  @Test func `a change by others is found by its part`() {
    let edited = EditedValue(
      now: Note(title: "new", text: "text"), was: Note(title: "old", text: "text"), isSeen: false)

    #expect(edited.change(of: \.title) == "new")
    #expect(edited.change(of: \.text) == nil)
    #expect(
      EditedValue(now: Note(title: "new"), was: nil, isSeen: false).change(of: \.title) == nil)
  }

  @Test(
    arguments: [
      (ConflictSide.mine, "mine", "mine"), (.mine, "old", "old"), (.theirs, "mine", nil),
      (nil, "mine", "mine"), (nil, "old", nil),
    ] as [(ConflictSide?, String, String?)])
  func `what was not changed is not saved, unless it was chosen`(
    side: ConflictSide?, value: String, kept: String?
  ) {
    #expect(side.kept(value, was: "old") == kept)
  }
}
