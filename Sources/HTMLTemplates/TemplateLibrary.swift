import Foundation

/// The template files of a folder. A template's name is its path in the folder, without
/// `.mustache`.
public struct TemplateLibrary: Sendable {
  private let read: @Sendable (String) -> String?
  /// The folders' paths; empty if the templates are not in files.
  private let directories: [String]

  /// - Parameter directory: The folder's path. Files are read when templates are compiled.
  public init(directory: String) {
    self.init(directories: [directory])
  }

  /// - Parameter directories: The folders' paths. The first folder that has a template wins.
  public init(directories: [String]) {
    self.directories = directories
    self.read = { name in
      directories.lazy.compactMap { directory in
        try? String(contentsOfFile: "\(directory)/\(name).mustache", encoding: .utf8)
      }.first
    }
  }

  /// - Parameter sources: Templates by name.
  public init(sources: [String: String]) {
    self.directories = []
    self.read = { sources[$0] }
  }

  /// Compiles a template and resolves its names to slots of the model.
  ///
  /// - Parameters:
  ///   - name: The template's name.
  ///   - slots: The slots that it may use.
  ///   - inspect: Receives all static text, and throws if it contains something that is not
  ///     allowed.
  /// - Throws: ``TemplateError``, and errors from a slot's `compile`.
  /// - Complexity: O(n), n characters, including partials and layouts.
  public func compile<Model: Sendable>(
    _ name: String,
    _ slots: Slots<Model>,
    inspecting inspect: @escaping @Sendable (String, TemplatePosition) throws -> Void = { _, _ in }
  ) throws -> TemplateProgram<Model> {
    let start = TemplatePosition(file: "\(name).mustache", line: 1, column: 1)
    let nodes = try self.nodes(TemplateName(text: name, position: start))
    let compiler = TemplateCompiler(library: self, including: [name], inspect: inspect)
    let program = try compiler.compile(nodes, slots)
    try compiler.used.check(slots.declarations, at: start)
    return program
  }

  /// A template's nodes.
  ///
  /// - Parameters:
  ///   - name: The template's name and where it is used.
  ///   - indentation: Inserted before each line.
  func nodes(_ name: TemplateName, indentation: String = "") throws -> [TemplateNode] {
    guard name.text.split(separator: "/").contains("..") == false,
      name.text.hasPrefix("/") == false
    else {
      throw name.position.error("the template \"\(name.text)\" lies outside the folder")
    }
    guard let source = self.read(name.text) else {
      throw name.position.error(
        "there is no template \"\(name.text)\": " + self.expectation(of: name.text)
      )
    }
    return try TemplateParser.parse(source, file: "\(name.text).mustache", indentation: indentation)
  }

  /// What is missing if a template cannot be read: its file, or the folder.
  private func expectation(of name: String) -> String {
    guard let first = self.directories.first else { return "expected the file \(name).mustache" }
    let expected = "expected the file \(first)/\(name).mustache"
    if FileManager.default.fileExists(atPath: first) { return expected }
    let current = FileManager.default.currentDirectoryPath
    let place = first.hasPrefix("/") ? "" : " in \(current)"
    return "\(expected), but there is no folder \(first)\(place). Start the program in the "
      + "folder that has it, or name another."
  }
}
