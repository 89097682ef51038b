public import ImmutableUI

/// The page where visitors report problems: one of the server's own, because no two visitors see the same.
public struct ReportPages: Sendable {
  /// Who looks at it, or reports something.
  public struct Visitor: Sendable {
    package let session: Identifier
    package let address: String
    package let environment: WindowEnvironment

    /// - Parameter address: The client's; empty if it has none.
    public init(session: Identifier, address: String, environment: WindowEnvironment) {
      self.session = session
      self.address = address
      self.environment = environment
    }
  }

  /// Where it is.
  public let path: String
  /// The page, with all that would be sent of what this visitor did. If it answers a report that was
  /// refused, it says why and has what was entered. It throws `TemplateError` if templates do not compile.
  public let page: @Sendable (Visitor, Query, RefusedSubmission?) throws -> PageContent
  /// Keeps a report. It throws ``ImmutableUI/Refusal``; nothing is kept then.
  ///
  /// Returns the URL of the page that confirms it.
  public let submit: @Sendable (Visitor, FormFields) async throws -> String

  package init(
    path: String,
    page: @escaping @Sendable (Visitor, Query, RefusedSubmission?) throws -> PageContent,
    submit: @escaping @Sendable (Visitor, FormFields) async throws -> String
  ) {
    self.path = path
    self.page = page
    self.submit = submit
  }
}
