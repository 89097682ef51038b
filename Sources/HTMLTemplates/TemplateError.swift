/// Why a template does not compile: the position, what was found, and what was expected.
public struct TemplateError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file's path below the folder of templates.
  public let file: String
  /// From 1.
  public let line: Int
  /// From 1, in Unicode scalars.
  public let column: Int
  public let message: String

  /// The same error with more to say.
  package func adding(_ text: String) -> Self {
    Self(file: self.file, line: self.line, column: self.column, message: "\(self.message) \(text)")
  }

  public var description: String {
    "\(self.file):\(self.line):\(self.column): \(self.message)"
  }
}

/// A position in a template.
public struct TemplatePosition: Hashable, Sendable {
  let file: String
  let line: Int
  let column: Int

  /// An error at this position.
  public func error(_ message: String) -> TemplateError {
    TemplateError(file: self.file, line: self.line, column: self.column, message: message)
  }

  /// The position after a text that begins here.
  public func advanced(over text: some StringProtocol) -> Self {
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    let length = lines.last?.count ?? 0
    return Self(
      file: self.file,
      line: self.line + lines.count - 1,
      column: lines.count > 1 ? length + 1 : self.column + length
    )
  }
}
