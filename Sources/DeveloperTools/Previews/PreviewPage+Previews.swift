import ImmutableUI

extension PreviewPage: Previewed {
  static let surroundings = Surroundings.page

  static var previews: [Preview<Self>] {
    [
      Preview("Without inputs", in: .empty) { Self.sample([]) },
      Preview("With inputs", in: .empty) {
        Self.sample([
          PreviewInput(name: "search", value: "dog", choices: []),
          PreviewInput(name: "order", value: "name", choices: ["", "name", "own"]),
        ])
      },
    ]
  }

  private static func sample(_ inputs: [PreviewInput]) -> Self {
    Self(
      link: PreviewLink.samples[0],
      siblings: Array(PreviewLink.samples.prefix(2)),
      inputs: inputs,
      query: "",
      isPage: false
    )
  }
}
