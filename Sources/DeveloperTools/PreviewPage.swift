import HTMLTemplates
import ImmutableRuntime
import ImmutableUI

/// A preview in every appearance, each in its own frame, with fields for the properties that can be
/// varied.
struct PreviewPage: Presenter, Hashable {
  static let assets: [Asset] = [.style("developer.css"), .style("previews.css")]

  let link: PreviewLink
  /// All previews of the component.
  let siblings: [PreviewLink]
  let inputs: [PreviewInput]
  /// The entered local state as it appears in URLs; empty for the declared one.
  let query: String
  /// Whether the component is a whole page.
  let isPage: Bool

  static let template = Template<Self>([
    .component("tabs") { _ in DeveloperTabs(current: .previews) },
    .text("module") { $0.link.module },
    .text("component") { $0.link.component },
    .text("path") { $0.link.path },
    .text("list") { _ in PreviewPages.path },
    .text("mark") { _ in PreviewDeclaration.mark },
    .flag("isPage") { $0.isPage },
    .flag("isVaried") { $0.query.isEmpty == false },
    .flag("hasInputs") { $0.inputs.isEmpty == false },
    .each("siblings", Self.sibling) { page in
      page.siblings.map { Sibling(link: $0, isCurrent: $0 == page.link) }
    },
    .each("inputs", Self.input) { $0.inputs },
    .each("looks", Self.look) { page in Look.all(of: page) },
  ])

  private static let sibling: Slots<Sibling> = [
    .text("name") { $0.link.name },
    .text("path") { $0.link.path },
    .flag("isCurrent") { $0.isCurrent },
  ]

  private static let input: Slots<PreviewInput> = [
    .text("name") { $0.name },
    .text("value") { $0.value },
    .flag("isChoice") { $0.choices.isEmpty == false },
    .each("choices", [.text("text") { $0.text }, .flag("isChosen") { $0.isChosen }]) { input in
      input.choices.map { Choice(text: $0, isChosen: $0 == input.value) }
    },
  ]

  private static let look: Slots<Look> = [
    .text("title") { $0.title },
    .text("source") { $0.source },
    .flag("isNarrow") { $0.isNarrow },
  ]

  private struct Sibling: Sendable {
    let link: PreviewLink
    let isCurrent: Bool
  }

  private struct Choice: Sendable {
    let text: String
    let isChosen: Bool
  }

  /// A frame.
  private struct Look: Sendable {
    let title: String
    let source: String
    var isNarrow = false

    static func all(of page: PreviewPage) -> [Self] {
      func source(_ appearance: Appearance) -> String {
        let path = "\(page.link.path)/\(appearance.rawValue)"
        return page.query.isEmpty ? path : "\(path)?\(page.query)"
      }
      return [
        Self(title: "Light", source: source(.light)),
        Self(title: "Dark", source: source(.dark)),
        Self(title: "320 pixels wide", source: source(.bare), isNarrow: true),
        Self(title: "Text twice as large", source: source(.largeText)),
        Self(title: "Forced colors", source: source(.forcedColors)),
        Self(title: "Right to left", source: source(.rightToLeft)),
      ]
    }
  }
}
