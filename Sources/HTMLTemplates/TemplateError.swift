/// Why a template does not compile: where, what was found, and what was expected.
public struct TemplateError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file's path below the folder of templates.
  public let file: String
  /// From 1.
  public let line: Int
  /// From 1, in Unicode scalars.
  public let column: Int
  public let message: String

  public var description: String {
    "\(self.file):\(self.line):\(self.column): \(self.message)"
  }
}

/// Where a tag stands.
struct TemplatePosition: Hashable, Sendable {
  let file: String
  let line: Int
  let column: Int

  func error(_ message: String) -> TemplateError {
    TemplateError(file: self.file, line: self.line, column: self.column, message: message)
  }
}
