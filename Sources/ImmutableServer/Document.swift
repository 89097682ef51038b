import HTMLTemplates
import HTTPConnections
import HTTPTypes
import ImmutableRuntime
import ImmutableUI
import Synchronization

/// The HTML document around every page: `Templates/ImmutableServer/Document.mustache`.
final class Document: Sendable {
  private struct Model: Sendable {
    let title: String
    let version: String
    let links: [Link]
    /// `nil` if problems cannot be reported, or on the report page itself.
    var reportPath: String?
    var assets: [Asset] = []
    var isLive = false
    var isWaiting = false
    /// `nil` if the path has no parameters.
    var pathPattern: String?
    /// Whether the requested thing does not exist and the page shows something else.
    var isMissing = false
    /// What visitors without JavaScript should know about the shown state.
    var warning: String?
    var isFramed = false
    var appearance: Appearance?
    var toast: ToastContent?
    /// The token of the toast's form.
    var token = ""
    /// `nil` for everybody except developers.
    var pickerURL: String?
  }

  /// Marks where the content goes.
  private struct ContentHole: Sendable {}

  private struct Link: Sendable {
    let path: String
    let label: String
    let isCurrent: Bool
  }

  private struct ErrorModel: Sendable {
    let title: String
    let message: String
    let isTemporary: Bool
    let isPost: Bool
  }

  private struct Programs: Sendable {
    let document: TemplateProgram<Model>
    let error: TemplateProgram<ErrorModel>
  }

  private let library: TemplateLibrary
  private let files: PublicFiles
  private let links: [(path: String, label: String)]
  private let reportPath: String?
  private let programs: Mutex<Programs>

  /// - Parameters:
  ///   - links: The links in the navigation of every page.
  ///   - reportPath: Where visitors report problems; `nil` if they cannot.
  /// - Throws: `TemplateError`.
  init(
    library: TemplateLibrary,
    files: PublicFiles,
    links: [(path: String, label: String)],
    reportPath: String?
  ) throws {
    self.library = library
    self.files = files
    self.links = links
    self.reportPath = reportPath
    self.programs = Mutex(try Self.compile(library))
  }

  /// Compiles the template again. If it does not compile, the old one stays in use.
  func reload() throws {
    let programs = try Self.compile(self.library)
    self.programs.withLock { $0 = programs }
  }

  /// The document of a page, split into the bytes before and after its content.
  ///
  /// - Parameters:
  ///   - isLive: Whether it has the scripts of a live page.
  ///   - isFramed: Whether it is shown in a frame, where it needs no navigation.
  ///   - warning: What visitors without JavaScript should know about the shown state.
  ///   - picker: Lets developers choose a region of the page. A page in a frame has none.
  func page(
    _ content: PageContent,
    isLive: Bool,
    isFramed: Bool,
    warning: String? = nil,
    picker: DeveloperPages.Picker? = nil
  ) -> (before: ArraySlice<UInt8>, after: ArraySlice<UInt8>) {
    var model = self.model(title: content.title, path: content.navigationPath)
    model.assets = content.assets
    model.isLive = isLive
    model.isWaiting = content.isWaiting
    model.pathPattern = content.pathPattern
    model.isMissing = content.isMissing
    model.warning = warning
    model.appearance = content.appearance
    model.toast = content.toast
    if content.toast?.submission != nil { model.token = Identifier().text }
    model.isFramed = isFramed || content.appearance != nil
    if model.isFramed {
      model.reportPath = nil
    } else if let picker {
      model.assets += picker.assets
      model.pickerURL = picker.url
    }
    return self.render(model)
  }

  /// The document of an error.
  ///
  /// - Parameter isPost: Whether it answers what the user has entered, which only the browser still has.
  func error(_ failure: HTTPFailure, path: String?, isPost: Bool) -> [UInt8] {
    let model = ErrorModel(
      title: failure.title,
      message: failure.explanation,
      isTemporary: failure.isTemporary,
      isPost: isPost
    )
    let program = self.programs.withLock { $0.error }
    let document = self.render(self.model(title: model.title, path: path))
    var writer = HTMLWriter(capacity: 8_192)
    writer.write(bytes: document.before)
    program.render(model, into: &writer)
    writer.write(bytes: document.after)
    return writer.bytes
  }

  /// A document without anything that only some have.
  private func model(title: String, path: String?) -> Model {
    Model(
      title: title,
      version: self.files.version,
      links: self.links.map {
        Link(path: $0.path, label: $0.label, isCurrent: $0.path == path)
      },
      reportPath: path == self.reportPath ? nil : self.reportPath
    )
  }

  private func render(_ model: Model) -> (before: ArraySlice<UInt8>, after: ArraySlice<UInt8>) {
    var writer = HTMLWriter(capacity: 8_192)
    self.programs.withLock { $0.document }.render(model, into: &writer)
    let offset = writer.holes.first { $0.content is ContentHole }?.offset ?? writer.bytes.count
    return (writer.bytes[..<offset], writer.bytes[offset...])
  }

  private static func compile(_ library: TemplateLibrary) throws -> Programs {
    Programs(
      document: try library.compile(
        "ImmutableServer/Document",
        [
          .text("title") { $0.title },
          .text("version") { $0.version },
          .text("protocolVersion") { _ in WindowGroup.protocolVersion },
          .flag("isLive") { $0.isLive },
          .flag("isWaiting") { $0.isWaiting },
          .flag("hasPathPattern") { $0.pathPattern != nil },
          .text("pathPattern") { $0.pathPattern ?? "" },
          .flag("isMissing") { $0.isMissing },
          .flag("hasWarning") { $0.warning != nil },
          .text("warning") { $0.warning ?? "" },
          .flag("isFramed") { $0.isFramed },
          .flag("isRightToLeft") { $0.appearance == .rightToLeft },
          .text("appearance") { $0.appearance?.rawValue ?? "" },
          .flag("hasToast") { $0.toast != nil },
          .text("toast") { $0.toast?.message ?? "" },
          .flag("canBeUndone") { $0.toast?.submission != nil },
          .text("submission") { $0.toast?.submission ?? "" },
          .text("token") { $0.token },
          .flag("canReport") { $0.reportPath != nil },
          .text("reportPath") { $0.reportPath ?? "" },
          .flag("canPick") { $0.pickerURL != nil },
          .text("pickerURL") { $0.pickerURL ?? "" },
          .each(
            "links",
            [
              .text("path") { $0.path },
              .text("label") { $0.label },
              .flag("isCurrent") { $0.isCurrent },
            ]
          ) { $0.links },
          .each("styles", [.text("path") { $0.path }]) { $0.assets.filter { $0.kind == .style } },
          .each("modules", [.text("path") { $0.path }]) { $0.assets.filter { $0.kind == .module } },
          .writer("content") { _, writer in writer.hole(ContentHole()) },
        ]
      ),
      error: try library.compile(
        "ImmutableServer/Error",
        [
          .text("title") { $0.title },
          .text("message") { $0.message },
          .flag("isTemporary") { $0.isTemporary },
          .flag("isPost") { $0.isPost },
        ]
      )
    )
  }
}
