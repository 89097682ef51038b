public import Logging
import NIOCore

/// How a ``WebServer`` listens, and what it lets in.
public struct WebServerConfiguration: Sendable {
  /// The address to listen on.
  public var host = "127.0.0.1"
  /// The port to listen on; 0 picks a free one.
  public var port = 8080
  /// Names that the `Host` header may have besides loopback names and IP literals.
  public var allowedHosts: Set<String> = []
  /// The folder of files that are served below `/public/`.
  public var publicDirectory = "Public"
  /// The folder of templates.
  public var templateDirectory = "Templates"
  /// Serve edited templates and files at once, for development.
  public var reloadsTemplates = false
  /// The most that the body of a request may have, in bytes.
  public var bodyLimit = 64 * 1024
  /// The most fields that a posted form may have.
  public var fieldLimit = 256
  /// The most that the head of a request may have, in bytes.
  public var headLimit = 32 * 1024
  /// How long a request may take to arrive.
  public var readTimeout = Duration.seconds(10)
  /// How long a connection may be idle between requests.
  public var idleTimeout = Duration.seconds(60)
  /// How often an idle stream is sent a comment.
  public var heartbeat = Duration.seconds(15)
  /// How long a client may take next to nothing of an answer, or a stream nothing, before it is dropped.
  public var writeTimeout = Duration.seconds(10)
  /// How long the server waits, when it is to end, for effects that are under way.
  public var effectTimeout = Duration.seconds(10)
  /// How long connections may go on after that.
  public var shutdownTimeout = Duration.seconds(5)
  /// How many threads read and write connections. One core is left to the reducer and to rendering:
  /// on two cores a second loop made each event dearer by a third (Benchmarks/README.md).
  public var eventLoops = max(1, System.coreCount - 1)
  /// Write events below HTTP encoding, which is faster; else through Hummingbird's response writer.
  public var writesStreamsRaw = true
  /// The proxies in front of the server, which say who asked and by which scheme.
  public var trustedProxies = TrustedProxies()
  /// Why the server cannot do all of its work now, a sentence for each reason; `/readyz` says them.
  public var obstacles: @Sendable () async -> [String] = { [] }
  /// What `/metrics` shows; `nil`: there is no such page.
  public var metrics: PrometheusMetrics?
  /// What `/metrics` wants to be told; `nil`: it is for this machine alone.
  public var metricsToken: String?
  /// Where log messages go.
  public var logger = Logger(label: "server")

  public init() {}
}
