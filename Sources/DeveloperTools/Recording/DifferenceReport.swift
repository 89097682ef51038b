import HTMLTemplates
import PlainText

/// The differences between two builds, as an HTML page.
public struct DifferenceReport {
  private let outcome: BuildComparison.Outcome

  public init(_ outcome: BuildComparison.Outcome) {
    self.outcome = outcome
  }

  /// A self-contained document.
  public var html: String {
    var writer = HTMLWriter()
    writer.write(trusted: Self.head)
    writer.write("<h1>")
    writer.escape(self.title)
    writer.write("</h1>\n")
    Self.write(self.outcome.effects, "Effects", into: &writer)
    Self.write(self.outcome.results, "States and pages", into: &writer)
    writer.write("</main>\n")
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private var title: String {
    switch self.outcome.count {
    case 0: "Both builds make the same of \(self.outcome.lines) lines"
    case 1: "1 difference in \(self.outcome.lines) lines"
    default: "\(self.outcome.count) differences in \(self.outcome.lines) lines"
    }
  }

  private static func write(
    _ differences: BuildComparison.Differences,
    _ title: String,
    into writer: inout HTMLWriter
  ) {
    guard differences.count > 0 else { return }
    writer.write("<section>\n<h2>")
    writer.escape("\(title): \(differences.count)")
    writer.write("</h2>\n")
    if differences.count > differences.first.count {
      writer.write("<p>The first ")
      writer.escape("\(differences.first.count)")
      writer.write(" are shown.</p>\n")
    }
    for difference in differences.first { Self.write(difference, into: &writer) }
    writer.write("</section>\n")
  }

  private static func write(
    _ difference: BuildComparison.Difference,
    into writer: inout HTMLWriter
  ) {
    writer.write("<h3>")
    writer.escape(difference.what.inOneLine)
    writer.write("</h3>\n<p>Line ")
    writer.escape(
      "\(difference.line), version \(difference.version), \(difference.subject)".inOneLine)
    writer.write("</p>\n<pre tabindex=\"0\">")
    for change in difference.changes.withoutMiddles {
      let (start, end): (StaticString, StaticString) =
        switch change {
        case .same: ("", "\n")
        case .removed: ("<del>", "</del>\n")
        case .inserted: ("<ins>", "</ins>\n")
        }
      writer.write(start)
      writer.escape(change.description.inOneLine)
      writer.write(end)
    }
    writer.write("</pre>\n")
  }

  private static let head = """
    <!doctype html>
    <html lang="en">
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>Two builds compared</title>
    <style>
    :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
    main { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
    h1 { font-size: 1.5rem; } h2 { font-size: 1.25rem; margin: 2.5rem 0 0; }
    h3 { font-size: 1rem; margin: 1.5rem 0 0; overflow-wrap: anywhere; }
    p { margin: 0 0 .5rem; overflow-wrap: anywhere; }
    pre { margin: 0; padding: .75rem; overflow-x: auto; border: 1px solid light-dark(#ccc, #444);
      border-radius: .5rem; font-size: .875rem; }
    del, ins { display: inline-block; min-width: 100%; text-decoration: none; }
    del { background: light-dark(#ffe3e0, #4d1512); } ins { background: light-dark(#dcf5e0, #113d1c); }
    </style>
    <main>

    """
}
