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
        "After \(self.actionsWithoutState) actions only refusals were compared, because this "
          + "program cannot read the state before them.")
    }
    if compared > 0 || pages > 0 || actions == 0 {
      sentences.append("The same: \(compared) actions, \(pages) changes of pages.")
    } else if self.hasOtherDigests == false {
      sentences.append("No states were compared.")
    }
    if self.pagesWithoutState > 0 {
      sentences.append(
        "\(self.pagesWithoutState) changes of pages were not compared, because they show a state "
          + "that is not in this file.")
    }
    if self.pagesWithoutContent > 0 {
      sentences.append("Pages were not compared, because the recording has pseudonyms.")
    }
    return sentences
  }
}
