package import HTTPConnections
public import ImmutableRuntime
public import Logging
import NIOCore
public import Pictures
public import ServiceLifecycle

/// How a ``WebServer`` listens, and its limits.
public struct WebServerConfiguration: Sendable {
  /// The address to listen on.
  public var host = "127.0.0.1"
  /// The port to listen on; 0 picks a free one.
  public var port = 8080
  /// Names that the `Host` header may contain, in addition to loopback names and IP literals.
  public var allowedHosts: Set<String> = []
  /// The folder of files that are served below `/public/`.
  public var publicDirectory = "Public"
  /// The folder of templates.
  public var templateDirectory = "Templates"
  /// Whether to watch for edited templates and files and serve them immediately. For development.
  public var reloadsTemplates = false
  /// The maximum size of a request's body, in bytes.
  public var bodyLimit = 64 * 1024
  /// Where uploaded pictures are stored; `nil` if none are accepted.
  public var pictures: PictureStore?
  /// The maximum size of a picture, in bytes. A field may have a lower limit.
  public var pictureLimit = 8 << 20
  /// The maximum number of fields in a posted form.
  public var fieldLimit = 256
  /// The maximum size of a request's head, in bytes.
  public var headLimit = 32 * 1024
  /// The maximum number of connections per IPv4 address, or IPv6 network of 64 bits. Further ones
  /// are closed. Trusted proxies have no such limit.
  public var connectionsPerNetwork = 6_000
  /// How long a request may take to arrive.
  public var readTimeout = Duration.seconds(10)
  /// How long a connection may be idle between requests.
  public var idleTimeout = Duration.seconds(60)
  /// How often a comment is sent on an idle stream.
  public var heartbeat = Duration.seconds(15)
  /// How long a response may progress too slowly, or a stream not at all, before the client is
  /// dropped.
  public var writeTimeout = Duration.seconds(10)
  /// How long a shutdown may take in all. For effects in progress it is four seconds less, which are
  /// for telling windows, ending connections, services that end after the server, and closing files.
  public var shutdownTimeout = Duration.seconds(14)
  /// The number of threads that read and write connections. One core is left for reducing and
  /// rendering: on two cores, a second loop made each event a third more expensive
  /// (Benchmarks/README.md).
  public var eventLoops = max(1, System.coreCount - 1)
  /// Whether to write events below HTTP encoding, which is faster, rather than through
  /// Hummingbird's response writer.
  public var writesStreamsRaw = true
  /// The proxies in front of the server. Their headers give the client's address and scheme.
  public var trustedProxies = TrustedProxies()
  /// The reasons why the server cannot do all of its work now, one sentence each. `/readyz` reports
  /// them.
  public var obstacles: @Sendable () async -> [String] = { [] }
  /// More lines of the answer to `/readyz`, for operators and load balancers.
  public var readinessDetails: @Sendable () -> [String] = { [] }
  /// Whether the shown state may be old, because this server is cut off from the log. If so, its
  /// streams end, so that windows say so and look for another server, and it accepts no new
  /// streams. `nil` for a server with its own state.
  public var isCutOff: (@Sendable () -> Bool)?
  /// What visitors without JavaScript should know about the shown state, as a sentence; `nil` if
  /// there is nothing.
  public var warning: (@Sendable () -> String?)?
  /// Services that run as long as the server does. They start before it and end after it, in reverse
  /// order, within ``shutdownTimeout``. If one fails, the server ends too.
  public var services: [any Service] = []
  /// What is finished when the services have ended, within ``shutdownTimeout``.
  package var endings: [Ending] = []
  /// The key that signs session ids and makes visitors' pseudonyms: 16 random bytes, the same for all
  /// servers that a browser may connect to; `nil` for a key of this process only. See
  /// ``keepSessions(in:)``.
  public var sessionKey: [UInt8]?
  /// The metrics that `/metrics` shows; `nil` if that page does not exist.
  public var metrics: PrometheusMetrics?
  /// The developer pages; `nil` if there are none. Clients that may read `/metrics` can see them;
  /// for everybody else they do not exist.
  public var developer: DeveloperPages?
  /// The page where visitors report problems; `nil` if they cannot. All pages link to it.
  public var reports: ReportPages?
  /// The token that `/metrics` requires; `nil` to allow requests from this machine only.
  public var metricsToken: String?
  /// Where log messages go.
  public var logger = Logger(label: "server")

  public init() {}

  /// A path at which both a page and the server itself would answer; `nil` if there is none.
  func conflict(with windows: WindowGroup) -> String? {
    let optional = [self.reports?.path, self.developer?.past, self.developer?.previews]
    let single = Paths.single + optional.compactMap(\.self)
    return windows.paths.first { path in
      single.contains { Self.covers(path, $0) } || Paths.haveFolder(of: path)
        || self.developer?.arePreviews(at: path) == true
    }
  }

  /// Whether a page's path, such as `/notes/:note?`, covers a path of the server. A path that begins
  /// with a parameter covers none: of all its values, it lacks only the few of the server.
  private static func covers(_ path: String, _ reserved: String) -> Bool {
    let (parts, wanted) = (path.split(separator: "/"), reserved.split(separator: "/"))
    return parts.first?.hasPrefix(":") == false && parts.count >= wanted.count
      && zip(parts, wanted).allSatisfy { $0 == $1 || $0.hasPrefix(":") }
      && parts.dropFirst(wanted.count).allSatisfy { $0.hasSuffix("?") }
  }

  /// The maximum size of a body with a picture. A larger body is read only up to here, so that its
  /// sender gets the chance to read the answer.
  var uploadLimit: Int {
    self.bodyLimit + 4 * self.pictureLimit
  }
}
