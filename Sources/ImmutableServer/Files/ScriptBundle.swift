/// One script made of a module and everything that it imports.
///
/// A browser that loads modules one by one asks for the next ones only once it has read those before.
/// Over a slow network these rounds are most of the time until a page is live.
///
/// It knows what our modules use: named imports from the same folder, and exports of functions,
/// classes and constants where they are declared. Every other module becomes a function that returns
/// its exports, in the order in which a browser would run them. The entry module stays a module, so
/// that other modules can import it.
struct ScriptBundle {
  /// A module that cannot be bundled, and why.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  // Of each bundle, because a literal is compiled whenever it is evaluated.
  private let importing = /(?m)^import (?:\{([^}]*)\} from )?"\.\/([\w\-]+\.js)";$/
  private let exporting = /(?m)^export ((?:async )?(?:function|class|const) )(\w+)/
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
    var body = source.replacing(/(?m)^[ \t]*\/\*\*(?s:.*?)\*\/\n/, with: "")
      .replacing(/(?m)^[ \t]*\/\/.*\n/, with: "")
    for match in body.matches(of: self.importing) { try self.add(String(match.output.2)) }
    body = body.replacing(self.importing) { match in
      let names = (match.output.1 ?? "").replacing(/(\w+) as (\w+)/) {
        "\($0.output.1): \($0.output.2)"
      }
      return names.isEmpty ? "" : "const {\(names)} = \(Self.variable(String(match.output.2)));"
    }
    if isEntry == false {
      let exports = body.matches(of: self.exporting).map { String($0.output.2) }
      body = body.replacing(self.exporting) { String($0.output.1) + $0.output.2 }
      body =
        "const \(Self.variable(name)) = (() => {\n\(body)return { \(exports.joined(separator: ", ")) };\n})();\n"
    }
    guard body.contains(/(?m)^import\b/) == false,
      isEntry || body.contains(/(?m)^export\b/) == false
    else { throw Failure(description: "\(name) imports or exports in a way that is not known") }
    self.script += "// \(name)\n" + body
    self.underWay.removeLast()
    self.done.insert(name)
  }

  private static func variable(_ name: String) -> String {
    "$" + name.dropLast(3).replacing("-", with: "_")
  }
}
