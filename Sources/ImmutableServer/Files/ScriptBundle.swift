/// One script made of a module and everything that it imports.
///
/// A browser that loads modules one by one requests the next ones only once it has read the
/// previous ones. Over a slow network, these round trips take most of the time until a page is
/// live.
///
/// It supports only what our modules use: named imports from the same folder, and exports of
/// functions, classes and constants where they are declared. Every other module becomes a function
/// that returns its exports, in the order in which a browser would run them. The entry module stays
/// a module, so that other modules can import it.
struct ScriptBundle {
  /// A module that cannot be bundled, and why.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  // Made once for each bundle, because a regex literal is compiled whenever it is evaluated. They
  // match only where a line begins: searching the whole text took most of a server's start.
  private let importing = /import (?:\{([^}]*)\} from )?"\.\/([\w\-]+\.js)";(?=\n|$)/
  private let exporting = /export ((?:async )?(?:function|class|const) )(\w+)/
  private let unknown = /(?:import|export)\b/
  private let renaming = /(\w+) as (\w+)/
  private let sources: [String: String]
  private var done: Set<String> = []
  private var underWay: [String] = []
  private(set) var script = ""

  /// - Parameters:
  ///   - entry: The name of the entry module, such as `window.js`.
  ///   - sources: All modules of the folder, by name.
  /// - Throws: ``Failure``.
  /// - Complexity: O(n), n characters of the modules.
  init(_ entry: String, in sources: [String: String]) throws {
    self.sources = sources
    try self.add(entry, isEntry: true)
  }

  private mutating func add(_ name: String, isEntry: Bool = false) throws {
    guard self.done.contains(name) == false else { return }
    guard let source = self.sources[name] else {
      throw Failure(description: "there is no \(name)")
    }
    guard self.underWay.contains(name) == false else {
      throw Failure(description: "\(name) imports itself, by way of \(self.underWay)")
    }
    self.underWay.append(name)
    var body = ""
    var exports: [String] = []
    var rest = Self.withoutComments(source)[...]
    while rest.isEmpty == false {
      let isImport = rest.hasPrefix("import")
      let isExport = isEntry == false && rest.hasPrefix("export")
      if isImport, let match = rest.prefixMatch(of: self.importing) {
        let imported = String(match.output.2)
        try self.add(imported)
        let names = (match.output.1 ?? "").replacing(self.renaming) {
          "\($0.output.1): \($0.output.2)"
        }
        if names.isEmpty == false {
          body += "const {\(names)} = \(Self.variable(imported));"
        }
        rest = rest[match.range.upperBound...]
      } else if isExport, let match = rest.prefixMatch(of: self.exporting) {
        exports.append(String(match.output.2))
        body += match.output.1 + match.output.2
        rest = rest[match.range.upperBound...]
      } else if isImport || isExport, rest.prefixMatch(of: self.unknown) != nil {
        throw Failure(description: "\(name) imports or exports in an unsupported way")
      }
      let end = rest.utf8.firstIndex(of: 10).map { rest.utf8.index(after: $0) } ?? rest.endIndex
      body += rest[..<end]
      rest = rest[end...]
    }
    if isEntry == false {
      body =
        "const \(Self.variable(name)) = (() => {\n\(body)return { \(exports.joined(separator: ", ")) };\n})();\n"
    }
    self.script += "// \(name)\n" + body
    self.underWay.removeLast()
    self.done.insert(name)
  }

  /// A module without the lines that contain only a comment.
  private static func withoutComments(_ source: String) -> String {
    var kept: [Substring] = []
    var isInComment = false
    for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
      let text = line.drop { $0 == " " || $0 == "\t" }
      if isInComment || text.hasPrefix("/**") {
        isInComment = line.hasSuffix("*/") == false
      } else if text.hasPrefix("//") == false {
        kept.append(line)
      }
    }
    return kept.joined(separator: "\n")
  }

  private static func variable(_ name: String) -> String {
    "$" + name.dropLast(3).replacing("-", with: "_")
  }
}
