import Foundation
import HTMLTemplates

extension TemplateLibrary {
  /// The folder with the templates of this project.
  static let projectFolder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Templates")

  /// The templates of this project.
  static var project: TemplateLibrary { TemplateLibrary(directory: self.projectFolder.path) }
}
