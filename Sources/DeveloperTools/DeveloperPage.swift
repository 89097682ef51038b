import ImmutableUI

/// The root of a developer page. Only developers find it, so the navigation does not list it.
protocol DeveloperPage: Root, Presenter where State == DeveloperState {
  static var path: String { get }
  /// Its title, which ends with that of all developer pages.
  static var label: String { get }
}

extension DeveloperPage {
  static var assets: [Asset] { [.style("developer.css")] }

  static func page() -> Page<Self> {
    Page(Self.self, at: Self.path, title: "\(Self.label) · Developer").unlisted()
  }
}
