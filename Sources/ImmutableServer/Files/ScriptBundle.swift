import Foundation

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
///
/// What a module imports only when it is needed, as in `import("./uploads.js")`, is a script of its
/// own, also with everything that it imports. What the entry contains too, it imports from there, so
/// each module exists once.
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
  private let entry: String
  /// The script that contains each module, by the module's name.
  private var homes: [String: String] = [:]
  private var underWay: [String] = []
  /// The modules that the script under way imports from the entry.
  private var borrowed: Set<String> = []
  /// The modules that are imported only when they are needed.
  private var deferred: [String] = []
  private var script = ""
  /// The entry, and the scripts that are loaded when they are needed, by name.
  private(set) var scripts: [String: String] = [:]

  /// - Parameters:
  ///   - entry: The name of the entry module, such as `window.js`.
  ///   - sources: All modules of the folder, by name.
  /// - Throws: ``Failure``.
  /// - Complexity: O(n), n characters of the modules.
  init(_ entry: String, in sources: [String: String]) throws {
    self.entry = entry
    self.sources = sources
    try self.add(entry, to: entry)
    let bundle = self.script
    var exports: Set<String> = []
    while let name = self.deferred.popLast() {
      guard self.scripts[name] == nil else { continue }
      guard self.homes[name] == nil else {
        throw Failure(description: "\(name) is imported at once and when it is needed")
      }
      (self.script, self.borrowed) = ("", [])
      try self.add(name, to: name)
      exports.formUnion(self.borrowed)
      let importing = Self.list("import", self.borrowed, " from \"./\(entry)\"")
      self.scripts[name] = CompactSource.withoutSpace(script: importing + self.script)
    }
    let exporting = Self.list("export", exports)
    self.scripts[entry] = CompactSource.withoutSpace(script: bundle + exporting)
  }

  /// - Parameter home: The script that it becomes a part of.
  private mutating func add(_ name: String, to home: String) throws {
    switch self.homes[name] {
    case home: return
    case self.entry:
      self.borrowed.insert(name)
      return
    case let other?:
      throw Failure(description: "\(other) and \(home) import \(name), and \(self.entry) does not")
    case nil: break
    }
    let isWhole = name == home
    guard let source = self.sources[name] else {
      throw Failure(description: "there is no \(name)")
    }
    guard self.underWay.contains(name) == false else {
      throw Failure(description: "\(name) imports itself, by way of \(self.underWay)")
    }
    self.underWay.append(name)
    var body = ""
    var exports: [String] = []
    var rest = CompactSource.withoutComments(script: source)[...]
    while rest.isEmpty == false {
      let isImport = rest.hasPrefix("import")
      let isExport = isWhole == false && rest.hasPrefix("export")
      if isImport, let match = rest.prefixMatch(of: self.importing) {
        let imported = String(match.output.2)
        try self.add(imported, to: home)
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
      self.defer(in: rest[..<end])
      body += rest[..<end]
      rest = rest[end...]
    }
    if isWhole == false {
      body =
        "const \(Self.variable(name)) = (() => {\n\(body)return { \(exports.joined(separator: ", ")) };\n})();\n"
    }
    self.script += body
    self.underWay.removeLast()
    self.homes[name] = home
  }

  /// Notes what is imported only when it is needed, as in `import("./uploads.js")`.
  private mutating func `defer`(in line: Substring) {
    for part in String(line).components(separatedBy: "import(\"./").dropFirst() {
      self.deferred.append(String(part.prefix { $0 != "\"" }))
    }
  }

  private static func list(
    _ keyword: String,
    _ modules: Set<String>,
    _ rest: String = ""
  ) -> String {
    guard modules.isEmpty == false else { return "" }
    let names = modules.map(Self.variable).sorted().joined(separator: ", ")
    return "\(keyword) { \(names) }\(rest);\n"
  }

  private static func variable(_ name: String) -> String {
    "$" + name.dropLast(3).replacing("-", with: "_")
  }
}
