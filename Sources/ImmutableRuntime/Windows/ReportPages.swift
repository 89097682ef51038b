public import ImmutableUI

/// The page where visitors report problems. It is a page of the server itself, because every
/// visitor sees a different one.
public struct ReportPages: Sendable {
  /// The visitor who views it or sends a report.
  public struct Visitor: Sendable {
    package let session: Identifier
    package let network: String
    package let environment: WindowEnvironment

    /// - Parameter network: The network of the client; empty if it has none.
    public init(session: Identifier, network: String, environment: WindowEnvironment) {
      self.session = session
      self.network = network
      self.environment = environment
    }
  }

  /// Its path.
  public let path: String
  /// The page, with everything that would be sent about this visitor's actions. If it answers a
  /// refused report, it says why and contains what the visitor entered. It throws `TemplateError`
  /// if templates do not compile.
  public let page: @Sendable (Visitor, Query, RefusedSubmission?) throws -> PageContent
  /// Saves a report. If it throws ``ImmutableUI/Refusal``, nothing was saved.
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
