import Foundation
import HTMLTemplates

extension TemplateLibrary {
  /// The templates of this project.
  static var project: TemplateLibrary {
    TemplateLibrary(
      directory: URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Templates").path)
  }
}
