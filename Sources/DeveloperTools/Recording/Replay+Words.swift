/// What was compared and what was not, in sentences; or the difference, after its changes.
extension Replay.Comparison: CustomStringConvertible {
  public var description: String {
    switch self.outcome {
    case .same(let actions, let pages): self.sentences(actions, pages).joined(separator: "\n")
    case .differs(let difference):
      (difference.changes + ["\(difference)"]).joined(separator: "\n")
    }
  }

  private func sentences(_ actions: Int, _ pages: Int) -> [String] {
    var sentences: [String] = []
    let compared = actions - self.actionsWithoutState
    if self.hasOtherDigests {
      sentences.append(
        "States were not compared, because an older program made the recording, with other digests."
      )
    } else if self.actionsWithoutState > 0 {
      sentences.append(
        "After \(Self.counting(self.actionsWithoutState, "action")) only refusals were compared, "
          + "because this program cannot read the state before "
          + "\(self.actionsWithoutState == 1 ? "it" : "them").")
    }
    if compared > 0 || pages > 0 || actions == 0 {
      sentences.append(
        "The same: \(Self.counting(compared, "action")), \(Self.counting(pages, "change")) of pages."
      )
    } else if self.hasOtherDigests == false {
      sentences.append("No states were compared.")
    }
    if self.pagesWithoutState > 0 {
      let isOne = self.pagesWithoutState == 1
      sentences.append(
        "\(Self.counting(self.pagesWithoutState, "change")) of pages \(isOne ? "was" : "were") not "
          + "compared, because \(isOne ? "it shows" : "they show") a state that is not in this file."
      )
    }
    if self.pagesWithoutContent > 0 {
      sentences.append("Pages were not compared, because the recording has pseudonyms.")
    }
    return sentences
  }

  private static func counting(_ count: Int, _ name: String) -> String {
    "\(count) \(name)\(count == 1 ? "" : "s")"
  }
}
