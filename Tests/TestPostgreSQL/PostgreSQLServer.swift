import Foundation
import Synchronization

/// A PostgreSQL server in a temporary folder, for tests. It ends when it is stopped, and when the process
/// that started it ends, however that ends.
public final class PostgreSQLServer: Sendable {
  /// The one of the suite that runs.
  @TaskLocal public static var current: PostgreSQLServer?

  private let folder: URL
  private let programs: URL
  private let newestRun = Mutex<ServerRun?>(nil)
  public let port: Int

  private init(folder: URL, programs: URL, port: Int) {
    self.folder = folder
    self.programs = programs
    self.port = port
  }

  /// Makes a server with an empty database cluster, and starts it.
  ///
  /// The superuser `postgres` may connect as it likes; a role `careful` needs a password.
  public static func make() async throws -> PostgreSQLServer {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "PostgreSQLServer-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let server = Self(folder: folder, programs: try Self.findPrograms(), port: try Self.freePort())
    if getuid() == 0 { _ = try await runProgram(["chown", "postgres", folder.path]) }
    _ = try await server.runAsOwner([
      server.program("initdb"), "-D", server.data, "-U", "postgres", "-A", "trust", "-E", "UTF8",
      "--locale=C", "--no-sync",
    ])
    let access = """
      local all careful scram-sha-256
      host all careful 127.0.0.1/32 scram-sha-256
      local all all trust
      host all all 127.0.0.1/32 trust

      """
    try access.write(toFile: "\(server.data)/pg_hba.conf", atomically: false, encoding: .utf8)
    try await server.makeCertificate()
    try await server.start()
    return server
  }

  public func start() async throws {
    // What is synced matters when the machine fails, which a test does not do to it.
    let options = [
      "-k", self.folder.path, "-p", "\(self.port)", "-c", "listen_addresses=127.0.0.1", "-c",
      "fsync=off", "-c", "max_connections=200", "-c", "ssl=on",
    ]
    let run = try ServerRun(
      self.asOwner + [self.program("postgres"), "-D", self.data] + options, in: self.folder)
    self.newestRun.withLock { $0 = run }
    let isReady = [self.program("pg_isready"), "-q", "-h", self.folder.path, "-p", "\(self.port)"]
    for _ in 0..<600 {
      if (try? await runProgram(isReady)) != nil { return }
      try await Task.sleep(for: .milliseconds(50))
    }
    let log = try? String(contentsOf: self.folder.appending(path: "log"), encoding: .utf8)
    throw TestServerError(description: "PostgreSQL does not start: \(log ?? "it says nothing")")
  }

  /// Ends it at once, as a crash does.
  public func crash() async throws {
    try await self.newestRun.withLock { $0 }?.end(keepingFolder: true)
  }

  /// Ends it and removes all it has.
  public func remove() async throws {
    try await self.newestRun.withLock { $0 }?.end(keepingFolder: false)
  }

  /// The address of a database, over a socket in the file system.
  public func url(_ database: String, user: String = "postgres", options: String = "") -> String {
    "postgres://\(user)@/\(database)?host=\(self.folder.path)&port=\(self.port)\(options)"
  }

  /// The address of a database, over TCP.
  public func networkURL(_ database: String, options: String = "") -> String {
    "postgres://postgres@127.0.0.1:\(self.port)/\(database)?\(options)"
  }
}

extension PostgreSQLServer {
  private var data: String { self.folder.appending(path: "data").path }

  private func program(_ name: String) -> String { self.programs.appending(path: name).path }

  /// The server refuses to run as root.
  private func runAsOwner(_ command: [String]) async throws -> String {
    try await runProgram(self.asOwner + command)
  }

  private var asOwner: [String] {
    getuid() == 0
      ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", "--"] : []
  }

  private func makeCertificate() async throws {
    _ = try await self.runAsOwner([
      "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
      "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
      "-keyout", "\(self.data)/server.key", "-out", "\(self.data)/server.crt",
    ])
  }

  /// A certificate that the server shows, which has signed itself.
  public var certificate: String { "\(self.data)/server.crt" }

  private static func findPrograms() throws -> URL {
    let versions = URL(filePath: "/usr/lib/postgresql")
    let found = (try? FileManager.default.contentsOfDirectory(atPath: versions.path)) ?? []
    guard let newest = found.max(by: { (Int($0) ?? 0) < (Int($1) ?? 0) }) else {
      throw TestServerError(description: "There is no PostgreSQL: run scripts/install build.")
    }
    return versions.appending(path: "\(newest)/bin")
  }

  private static func freePort() throws -> Int {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    guard let port = bindToFreePort(descriptor) else {
      throw TestServerError(description: "There is no free port.")
    }
    return port
  }
}

/// Binds a socket to a port of this machine that nobody uses.
///
/// - Returns: The port; `nil` if there is none.
public func bindToFreePort(_ descriptor: Int32) -> Int? {
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_addr.s_addr = inet_addr("127.0.0.1")
  var length = socklen_t(MemoryLayout<sockaddr_in>.size)
  let isBound = withUnsafeMutablePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
    }
  }
  return isBound ? Int(UInt16(bigEndian: address.sin_port)) : nil
}

/// Why a test's server cannot do what it should.
public struct TestServerError: Error, CustomStringConvertible {
  public let description: String
}

/// Runs a program.
///
/// - Returns: What it writes, without the last line end.
/// - Throws: ``TestServerError`` with what it writes if it fails.
private func runProgram(_ command: [String]) async throws -> String {
  let process = Process()
  let output = Pipe()
  process.executableURL = URL(filePath: "/usr/bin/env")
  process.arguments = command
  process.standardInput = FileHandle.nullDevice
  process.standardOutput = output
  process.standardError = output
  let (ends, end) = AsyncStream.makeStream(of: Void.self)
  process.terminationHandler = { _ in end.finish() }
  try process.run()
  let text = try await Task.detached {
    String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
  }.value
  for await _ in ends {}
  guard process.terminationStatus == 0 else {
    throw TestServerError(description: "\(command.joined(separator: " ")): \(text)")
  }
  return text.trimmingCharacters(in: .newlines)
}
