import ArgumentParser

/// How long a server waits for its clients.
package struct TimeoutOptions: ParsableArguments {
  @Option(help: "How long a request may take to arrive, in seconds.")
  private var readTimeout = 10

  @Option(help: "How long a client may read almost nothing of an answer, in seconds.")
  private var writeTimeout = 10

  @Option(help: "How long a connection may be idle between requests, in seconds.")
  private var idleTimeout = 60

  package init() {}

  package func validate() throws {
    try self.require(
      [
        "--read-timeout": self.readTimeout, "--write-timeout": self.writeTimeout,
        "--idle-timeout": self.idleTimeout,
      ], in: .positive)
  }

  package var read: Duration { .seconds(self.readTimeout) }
  package var write: Duration { .seconds(self.writeTimeout) }
  package var idle: Duration { .seconds(self.idleTimeout) }
}
