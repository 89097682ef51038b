import Foundation
import Testing

/// What may import what, and what belongs to what (README.md, What is where).
struct ArchitectureTests {
  /// Our modules that each module may import.
  private static let imports: [String: Set<String>] = [
    "ActionLogs": ["ImmutableData"],
    "AnimalsData": ["DatabaseFiles", "ImmutableData", "Pictures", "PlainText", "Services"],
    "AnimalsDataClient": ["AnimalsData", "PlainText", "Services", "Terminal"],
    "AnimalsDataServer": [
      "AnimalsData", "DatabaseFiles", "HTTPConnections", "Pictures", "PlainText", "Terminal",
    ],
    "AnimalsUI": ["AnimalsData", "ImmutableUI", "PlainText"],
    "CounterData": ["ImmutableData"],
    "CounterUI": ["CounterData", "ImmutableUI"],
    "DatabaseFiles": [],
    "DeveloperTools": [
      "HTMLTemplates", "ImmutableData", "ImmutableRuntime", "ImmutableUI", "PlainText",
    ],
    "FeedScanning": [],
    "HTMLTemplates": [],
    "HTTPConnections": ["PlainText"],
    "ImmutableData": [],
    "ImmutableServer": [
      "CZlib", "HTMLTemplates", "HTTPConnections", "ImmutableData", "ImmutableRuntime",
      "ImmutableUI", "Pictures", "PlainText", "Replication",
    ],
    "ImmutableRuntime": ["HTMLTemplates", "ImmutableData", "ImmutableUI"],
    "ImmutableUI": ["HTMLTemplates", "ImmutableData", "Pictures", "PlainText"],
    "PictureShrinker": ["CVips"],
    "Pictures": [],
    "PlainText": [],
    "PostgreSQLLog": ["ActionLogs", "CPostgreSQL", "ImmutableData", "Pictures"],
    "QuakesData": [
      "DatabaseFiles", "FeedScanning", "ImmutableData", "PlainText", "SampleFeeds", "Services",
    ],
    "QuakesDataClient": ["ImmutableData", "QuakesData", "Services", "Terminal"],
    "QuakesUI": ["ImmutableUI", "PlainText", "QuakesData"],
    "Replication": ["ActionLogs", "ImmutableData"],
    "Server": [
      "ActionLogs", "AnimalsData", "AnimalsUI", "CounterData", "CounterUI", "DatabaseFiles",
      "DeveloperTools", "HTMLTemplates", "HTTPConnections", "ImmutableData", "ImmutableRuntime",
      "ImmutableServer", "ImmutableUI", "Pictures", "PlainText", "PostgreSQLLog", "QuakesData",
      "QuakesUI", "Replication", "Services", "Terminal",
    ],
    "SampleFeeds": [],
    "Services": ["PlainText"],
    "Terminal": ["PlainText"],
    "WindowTesting": [
      "HTMLTemplates", "ImmutableData", "ImmutableRuntime", "ImmutableUI", "Pictures",
    ],
  ]

  /// Libraries of the system.
  private static let system: Set<String> = ["CPostgreSQL", "CVips", "CZlib"]

  /// The only modules that know HTTP.
  private static let http: Set<String> = [
    "AnimalsDataServer", "HTTPConnections", "ImmutableServer", "Services",
  ]

  @Test(arguments: Self.imports.keys.sorted())
  func `a module imports only what is allowed`(module: String) throws {
    let own = Set(Self.imports.keys).union(Self.system)

    let imported = try Self.imports(in: "Sources/\(module)")

    #expect(imported.intersection(own).subtracting(Self.imports[module] ?? []) == [])
    if Self.http.contains(module) == false {
      #expect(imported.filter { $0.hasPrefix("NIO") || $0.hasPrefix("Hummingbird") } == [])
    }
  }

  /// A build that is already there has modules that nobody declared; a fresh clone lacks them.
  @Test func `a target declares what it imports`() throws {
    let toolchain: Set<String> = [
      "Dispatch", "Foundation", "Glibc", "Observation", "Synchronization", "Testing",
    ]
    // A product of one package with two modules.
    let brought: Set<String> = ["GRDBSQLite"]
    let manifest = try Project.text(of: "Package.swift")
    let targets = manifest.split(separator: /\.(?=(?:target|executableTarget|testTarget)\()/)
      .dropFirst()

    #expect(targets.count > 30)
    for target in targets {
      let name = try #require(target.firstMatch(of: /name: "(\w+)"/)).output.1
      let path = target.firstMatch(of: /path: "([\w\/]+)"/)?.output.1
      let folder =
        path.map(String.init) ?? "\(target.hasPrefix("testTarget") ? "Tests" : "Sources")/\(name)"
      let declared = Set(target.matches(of: /"(\w+)"/).map { String($0.output.1) })

      let undeclared = try Self.imports(in: folder).subtracting(toolchain).subtracting(brought)
        .subtracting(declared)

      #expect(undeclared == [], "\(name)")
    }
  }

  @Test func `every module is known here`() throws {
    let modules = try FileManager.default.contentsOfDirectory(
      atPath: Project.root.appending(path: "Sources").path
    )

    #expect(Set(modules).subtracting(Self.system) == Set(Self.imports.keys))
  }

  /// To a tenth, or 200 lines, so that a small module can grow without anybody having to think of it.
  @Test func `the table of sizes is about right`() throws {
    let rows = try Self.section("Sizes", of: "docs/ARCHITECTURE.md")
      .matches(of: /(?m)^\| `(\w+)` \| ([\d,]+) \|/)
    let sizes = Dictionary(
      uniqueKeysWithValues: rows.map { row in
        (String(row.output.1), Int(row.output.2.filter(\.isNumber)) ?? 0)
      })

    #expect(Set(sizes.keys) == Set(Self.imports.keys))
    for (module, size) in sizes {
      let lines = try Self.sources(of: module).utf8.count { $0 == UInt8(ascii: "\n") }
      #expect(abs(lines - size) <= max(lines / 10, 200), "\(module) has \(lines) lines")
    }
  }

  @Test(arguments: [
    "ImmutableData", "ImmutableUI", "CounterData", "CounterUI", "AnimalsData", "AnimalsUI",
    "QuakesData", "QuakesUI", "Services",
  ])
  func `every module that the guide imports is a library of the package`(module: String) throws {
    let manifest = try Project.text(of: "Package.swift")

    #expect(manifest.contains(".library(name: \"\(module)\", targets: [\"\(module)\"])"))
  }

  /// What products are built with.
  private static let library: Set<String> = [
    "HTMLTemplates", "ImmutableData", "ImmutableRuntime", "ImmutableServer", "ImmutableUI",
    "WindowTesting",
  ]

  /// In a test, which imports both, the name would be ambiguous.
  @Test func `no type has the name of a type of the library that it is built with`() throws {
    let library = try Dictionary(
      uniqueKeysWithValues: Self.library.map { module in
        (module, try Self.types(in: Self.sources(of: module)) { $0.contains("public") })
      })

    for (module, imports) in Self.imports where Self.library.contains(module) == false {
      var imported = Self.library.intersection(imports)
      // Which it exports.
      if imported.contains("ImmutableUI") {
        imported.formUnion(["HTMLTemplates", "ImmutableData"])
      }
      let types = try Self.types(in: Self.sources(of: module)) { _ in true }
      #expect(types.intersection(imported.flatMap { library[$0] ?? [] }) == [], "\(module)")
    }
    for page in ["README.md", "docs/TUTORIAL.md"] {
      let types = try Self.types(in: Project.text(of: page)) { _ in true }
      #expect(types.isEmpty == false)
      #expect(types.intersection(library.values.joined()) == [], "\(page)")
    }
  }

  /// The types at the top level that other files can use.
  private static func types(
    in source: String,
    where isIncluded: (_ modifiers: ArraySlice<Substring>) -> Bool
  ) -> Set<String> {
    let kinds: Set<Substring> = ["class", "struct", "enum", "actor", "protocol", "typealias"]
    let others: Set<Substring> = ["private", "fileprivate", "import", "extension"]
    var types: Set<String> = []
    for line in source.split(separator: "\n") {
      guard let first = line.utf8.first, first == 0x40 || (0x61...0x7A).contains(first) else {
        continue
      }
      let words = line.split(maxSplits: 6) { " :<({".contains($0) }
      guard let kind = words.firstIndex(where: { kinds.contains($0) }), kind + 1 < words.count,
        others.isDisjoint(with: words[..<kind]), isIncluded(words[..<kind])
      else { continue }
      types.insert(String(words[kind + 1]))
    }
    return types
  }

  @Test func `every template has its Swift file`() throws {
    // These are of documents, whose model is not a component.
    let documents: Set<String> = ["ImmutableServer/Document", "ImmutableServer/Error"]
    let templates = try Project.files(in: "Templates", withExtension: "mustache")

    for template in templates.subtracting(documents) {
      let swift = Project.root.appending(path: "Sources/\(template).swift")
      #expect(
        FileManager.default.fileExists(atPath: swift.path),
        "Templates/\(template).mustache has no Sources/\(template).swift"
      )
    }
  }

  @Test func `no template writes unescaped HTML`() throws {
    for template in try Project.files(in: "Templates", withExtension: "mustache") {
      let source = try Project.text(of: "Templates/\(template).mustache")

      #expect(source.contains("{{{") == false && source.contains("{{&") == false, "\(template)")
    }
  }

  @Test func `files that all pages load mention no product`() throws {
    let words = /(?i)camera|quake|magnitude|compass|earth|animal|categor|\bcounter\b/
    let files = try FileManager.default.contentsOfDirectory(
      at: Project.root.appending(path: "Public"),
      includingPropertiesForKeys: nil
    )

    for file in files where file.hasDirectoryPath == false {
      let source = try String(contentsOf: file, encoding: .utf8)
      let found = source.firstMatch(of: words)?.output
      #expect(found == nil, "Public/\(file.lastPathComponent)")
    }
  }

  @Test func `a product's assets are in its module's folder and are used`() throws {
    let folder = Project.root.appending(path: "Public")
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.contains("/") }

    #expect(paths.contains("QuakesUI/camera.js"))
    for path in paths {
      let parts = path.split(separator: "/")
      let module = String(parts[0])
      #expect(Self.imports[module] != nil, "Public/\(path)")
      let sources = try Self.sources(of: module) + Self.templates(of: module)
      #expect(sources.contains(parts[1]), "nobody brings Public/\(path)")
      let script = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
      for match in script.matches(of: /(?m)^import .*"(.+)";$/) {
        // The module of all pages, which contains the others, or its own.
        #expect(
          match.output.1.wholeMatch(of: /\.\.\/window\.js|\.\/[\w-]+\.js/) != nil, "Public/\(path)")
      }
    }
  }

  /// What runs beside the server: programs of their own, and what tests are written with.
  private static let beside: Set<String> = [
    "AnimalsDataClient", "PictureShrinker", "QuakesDataClient", "Terminal", "WindowTesting",
  ]

  /// docs/operations/OPERATIONS.md, Limits, says what bounds what is kept; docs/ARCHITECTURE.md, Bounds,
  /// what is not kept.
  @Test func `every stored collection of the server is in a table of bounds`() throws {
    let kept = try Self.types(namedIn: "docs/operations/OPERATIONS.md", "Limits")
    let passing = try Self.types(namedIn: "docs/ARCHITECTURE.md", "Bounds")

    let storing = try Set(Self.storedCollections.get().map { $0.type })

    #expect(storing.subtracting(kept).subtracting(passing).sorted() == [], "nothing bounds them")
    // Besides what the text around its table names, it has no more than it must.
    #expect(passing.subtracting(storing) == ["ArchitectureTests"])
  }

  /// The tables name types. So that nobody forgets what another collection of the same type needs, each
  /// is in a list. If the file is missing, it is written.
  @Test func `every stored collection of the server is in the list of those that are bounded`()
    throws
  {
    let file = Project.root.appending(path: "Tests/ArchitectureTests/stored-collections.txt")
    let stored = try Set(Self.storedCollections.get().map { "\($0.module) \($0.name)" })
    guard let list = try? String(contentsOf: file, encoding: .utf8) else {
      try Data((stored.sorted().joined(separator: "\n") + "\n").utf8).write(to: file)
      Issue.record("stored-collections.txt was missing and has been written: commit it")
      return
    }

    let known = Set(list.split(separator: "\n").map(String.init))

    #expect(
      stored.subtracting(known).sorted() == [],
      "look at the type's row in the table of bounds, mend what is missing there, and add the line")
    #expect(known.subtracting(stored).sorted() == [], "they are gone; remove their lines")
  }

  /// Found once for both tests, because that reads all sources.
  private static let storedCollections = Result {
    var collections: [(module: String, type: String, name: String)] = []
    for module in Self.imports.keys where Self.beside.contains(module) == false {
      for file in try Project.files(in: "Sources/\(module)", withExtension: "swift") {
        let source = try Project.text(of: "Sources/\(module)/\(file).swift")
        for (type, name) in Self.storedCollections(in: source) {
          collections.append((module, type, name))
        }
      }
    }
    return collections
  }

  @Test func `tests named in the tables of bounds exist`() throws {
    let tests = try Project.files(in: "Tests", withExtension: "swift")
      .union(Project.files(in: "Tests", withExtension: "py").map { "\($0).py" })
      .map { String($0.split(separator: "/").last ?? "") }
    let limits = try Self.section("Limits", of: "docs/operations/OPERATIONS.md")

    let named = limits.matches(of: /`(\w+Tests|test_\w+\.py)`/).map { String($0.output.1) }

    #expect(named.count > 50)
    #expect(Set(named).subtracting(tests) == [])
  }

  @Test(arguments: [
    "final class Hub {\n  var streams: [Identifier: Stream] = [:]\n}",
    "final class Hub {\n  private(set) lazy var streams = Set<Int>()\n}",
    "extension Hub {\n  struct Stream {\n    weak var all: [Int]?\n  }\n}",
    "actor Hub {\n  private let streams = Mutex<[Int]>([])\n}",
    "class Hub<A>\nwhere A: Sendable {\n  var all: Set<A> = []\n}",
    "package struct Hub {\n  static var newest = Cache<Int, Int>(limit: 8)\n}",
    "struct Hub {\n  var received = Data()\n}", "struct Hub {\n  var rest: ByteBuffer?\n}",
    "struct Hub {\n  var task: Task<Void, Never>?\n}",
    "struct Hub {\n  var next: CheckedContinuation<Int, Never>?\n}",
    "final class Hub {\n  private let contents = Mutex(Contents())\n}",
    "final class Hub {\n  private let all = Mutex((count: 0, rest: [1]))\n}",
    "final class Hub {\n  private var stream = z_stream()\n}",
    "final class Hub {\n  private let names = Mutex<Set<String>>([])\n}",
    "final class Hub {\n  private let contents: Mutex<Contents>\n}",
    "final class Hub {\n  private let newest = Mutex<Memo?>(nil)\n}",
    "final class Hub {\n  private var timer: Scheduled<Void>?\n}",
    "struct Hub {\n  var text = \"\"\n}",
  ])
  func `a stored collection is found`(source: String) {
    #expect(Self.storedCollections(in: source).map { $0.type } == ["Hub"])
  }

  @Test func `each stored collection has a name of its own`() {
    let source = """
      final class Hub {
        private var streams: [Int: Stream] = [:]
        private let count = 0

        struct Stream {
          var events: [Int] = []
        }
        var toasts: [Int] = []
      }
      """

    let names = Self.storedCollections(in: source).map { $0.name }

    #expect(names == ["Hub.streams", "Hub.Stream.events", "Hub.toasts"])
  }

  @Test(arguments: [
    "struct Hub {\n  var all: [Int] { [1] }\n}", "struct Hub {\n  let count: Int\n}",
    "final class Hub {\n  private let count = Mutex(0)\n}",
    "final class Hub {\n  private let count: Mutex<Int>\n}",
    "final class Hub {\n  private let end = Mutex<ContinuousClock.Instant?>(nil)\n}",
    "struct Hub {\n  func f() {\n    var all: [Int] = []\n  }\n}",
    "struct Hub {\n  @SelectAll private var all: [Int]\n}",
  ])
  func `computed, local and selected collections do not count as stored`(source: String) {
    #expect(Self.storedCollections(in: source).isEmpty)
  }

  /// Properties that can grow, with their outermost types: variables with a collection, with a text or
  /// bytes, or with a task, and constants with a lock, a stream or a queue. Sources are formatted, so
  /// indentation says what is where.
  private static func storedCollections(in source: String) -> [(type: String, name: String)] {
    var collections: [(type: String, name: String)] = []
    // The declarations around a line; `nil` for one that is no type.
    var around: [(indentation: Int, type: String?)] = []
    for line in source.split(separator: "\n") {
      let text = line.drop { $0 == " " }
      // What goes on with a line before it, or ends it, declares nothing.
      guard let first = text.first, "/#)]{}".contains(first) == false,
        text.hasPrefix("where ") == false
      else { continue }
      let indentation = line.count - text.count
      around.removeAll { $0.indentation >= indentation }
      let declaration = text.trimmingPrefix(Self.modifiers)
      let types = around.compactMap(\.type)
      if let type = types.first, types.count == around.count, Self.storesCollection(declaration),
        let name = declaration.prefixMatch(of: /(?:let|var) (\w+)/)?.output.1
      {
        collections.append((type, (types + [String(name)]).joined(separator: ".")))
      }
      let type = declaration.prefixMatch(of: /(?:class|actor|struct|enum|extension) (\w+)/)
      around.append((indentation, type.map { String($0.output.1) }))
    }
    return collections
  }

  private static var modifiers: Regex<Substring> {
    /(?:@MainActor |(?:private|fileprivate|internal|public|package|static|lazy|weak|final|nonisolated|indirect|open)(?:\(\w+\))? )*/
  }

  private static func storesCollection(_ declaration: Substring) -> Bool {
    if declaration.hasPrefix("let ") {
      // A lock of what has one size can hold nothing more.
      let fixed =
        /Mutex<(?:Int|Int32|Int64|UInt64|Bool|Double|PlaceID|ContinuousClock\.Instant)\??>/
      return declaration.contains(/Mutex\([\[(A-Z]|AsyncStream|Queue\(|Task</)
        || declaration.contains("Mutex<") && declaration.contains(fixed) == false
    }
    return declaration.wholeMatch(of: /var \w+(?:: [^{=]+)?(?: = .*)?/) != nil
      && declaration.contains(
        /\[|Array<|Set<|Dictionary<|Tree|Table\b|Cache\b|\bData\b|Buffer\b|Task<|Continuation|z_stream|Scheduled<|= ""/
      )
  }

  /// The names in backquotes in a section of a document.
  private static func types(namedIn document: String, _ section: String) throws -> Set<String> {
    try Set(
      self.section(section, of: document).matches(of: /`(\w+)(?:\.\w+)?`/)
        .map { String($0.output.1) })
  }

  private static func section(_ title: String, of document: String) throws -> Substring {
    let text = try Project.text(of: document)
    let start = try #require(text.range(of: "\n## \(title)\n"))
    let rest = text[start.upperBound...]
    return rest[..<(rest.range(of: "\n## ")?.lowerBound ?? rest.endIndex)]
  }

  private static func sources(of module: String) throws -> String {
    try Project.files(in: "Sources/\(module)", withExtension: "swift").map { file in
      try Project.text(of: "Sources/\(module)/\(file).swift")
    }.joined()
  }

  private static func templates(of module: String) throws -> String {
    try Project.files(in: "Templates/\(module)", withExtension: "mustache").map { file in
      try Project.text(of: "Templates/\(module)/\(file).mustache")
    }.joined()
  }

  private static func imports(in folder: String) throws -> Set<String> {
    var imports: Set<String> = []
    for file in try Project.files(in: folder, withExtension: "swift") {
      let source = try Project.text(of: "\(folder)/\(file).swift")
      for match in source.matches(
        of: /(?m)^(?:@\w+ )?(?:(?:public|package) )?import (?:struct )?(\w+)/)
      {
        imports.insert(String(match.output.1))
      }
    }
    return imports
  }
}
