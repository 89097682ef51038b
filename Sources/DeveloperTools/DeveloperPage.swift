import ImmutableUI

/// The root component of a developer page. The navigation does not list it.
protocol DeveloperPage: Root, Presenter where State == DeveloperState {
  static var path: String { get }
  /// The title, without the word that all developer pages end theirs with.
  static var label: String { get }
}

extension DeveloperPage {
  static var assets: [Asset] { [.style("developer.css"), .module("opened.js")] }

  static func page() -> Page<Self> {
    Page(Self.self, at: Self.path, title: "\(Self.label) · Developer").unlisted()
  }
}
