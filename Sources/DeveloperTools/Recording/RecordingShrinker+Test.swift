public import Foundation

extension RecordingShrinker {
  /// The test that the old build passes and the new one does not.
  ///
  /// It dispatches the actions, and expects the old build's refusals, its content of the regions
  /// that differ, and its final state if that differs.
  ///
  /// - Parameters:
  ///   - shrunk: The file that ``shrink(to:)`` has written.
  ///   - program: How the test makes the program.
  /// - Returns: Swift source.
  /// - Throws: ``RecordingError`` if it is not a recording, or a build cannot be run.
  public func test(of shrunk: URL, in program: TestedProgram) throws -> String {
    let recording = try Recording<JSONValue>(shrunk, self.upcasters)
    let (old, new) = (try self.ending(self.old(shrunk)), try self.ending(self.new(shrunk)))
    var (steps, beginnings): ([RecordedTest.Step], [Int: RecordedPage.Beginning]) = ([], [:])
    for number in recording.numbers {
      switch try recording.line(number) {
      case .action(let action):
        let json = try RecordingFormat.encode(action.action).dropLast()
        steps.append(
          RecordedTest.Step(
            action: String(decoding: json, as: UTF8.self),
            isRefused: old.refusals.contains(number)
          ))
      case .page(let page): beginnings[page.place] = page.begins ?? beginnings[page.place]
      case .checkpoint, .visit, .piece: break
      }
    }
    let titles = Set(old.regions.keys).union(new.regions.keys).sorted()
    let expectations = titles.compactMap { title -> RecordedTest.Expectation? in
      guard let region = old.regions[title] ?? new.regions[title],
        let beginning = beginnings[region.place],
        old.regions[title]?.content?.html != new.regions[title]?.content?.html
      else { return nil }
      return RecordedTest.Expectation(
        beginning: beginning, region: region.name, html: old.regions[title]?.content?.html)
    }
    return RecordedTest(
      program: program,
      checkpoint: try recording.firstCheckpoint.map(recording.checkpointText(at:)),
      steps: steps,
      expectations: expectations,
      digest: old.digest == new.digest ? nil : old.digest
    ).source
  }

  /// The results of a build for all lines.
  private struct Ending {
    var regions: [String: PlayedRegion] = [:]
    /// The lines of the refused actions.
    var refusals: Set<Int> = []
    var digest = ""
  }

  private func ending(_ build: BuildComparison.Build) throws -> Ending {
    let output = try PlayedOutput(build)
    defer { output.end() }
    var ending = Ending()
    while let line = try output.next() {
      for region in line.regions { ending.regions[region.title] = region }
      if line.refusal != nil { ending.refusals.insert(line.line) }
      ending.digest = line.digest
    }
    return ending
  }
}
