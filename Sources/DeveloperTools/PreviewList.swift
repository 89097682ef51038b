import HTMLTemplates
import ImmutableUI

/// All previews, by module and component.
struct PreviewList: Presenter, Hashable {
  static let assets: [Asset] = [.style("developer.css"), .style("previews.css")]

  let previews: [PreviewLink]
  /// The components that have no previews.
  let missing: [String]

  private var modules: [Group] { Group.groups(of: self.previews, by: \.module) }

  static let template = Template<Self>([
    .component("tabs") { _ in DeveloperTabs(current: .previews) },
    .flag("isEmpty") { $0.previews.isEmpty },
    .each("modules", Self.module) { $0.modules },
    .each("missing", [.text("name") { $0 }]) { $0.missing },
    .flag("isMissing") { $0.missing.isEmpty == false },
  ])

  private static let module: Slots<Group> = [
    .text("module") { $0.name },
    .each("components", Self.component) { Group.groups(of: $0.previews, by: \.component) },
  ]

  private static let component: Slots<Group> = [
    .text("component") { $0.name },
    .each("previews", [.text("name") { $0.name }, .text("path") { $0.path }]) { $0.previews },
  ]

  /// Some previews that belong together.
  private struct Group: Sendable {
    let name: String
    var previews: [PreviewLink]

    /// - Parameter previews: The previews, sorted by group.
    static func groups(
      of previews: [PreviewLink],
      by name: KeyPath<PreviewLink, String>
    ) -> [Group] {
      previews.reduce(into: []) { groups, preview in
        if groups.last?.name == preview[keyPath: name] {
          groups[groups.count - 1].previews.append(preview)
        } else {
          groups.append(Group(name: preview[keyPath: name], previews: [preview]))
        }
      }
    }
  }
}
