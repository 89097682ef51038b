import Fixture
import ImmutableData
import TestSupport
import Testing
import WindowTesting

@testable import ImmutableRuntime
@testable import ImmutableUI

/// What a limit counts.
private enum Counted: CaseIterable, Sendable {
  case all, session, network
}

/// How many streams and windows there may be, and which of them a request may name.
@Suite(.timeLimit(.minutes(20))) @MainActor struct WindowLimitsTests {
  private func makeWindows(
    _ change: (inout WindowGroup.Configuration) -> Void = { _ in }
  ) throws -> WindowGroup {
    var configuration = WindowGroup.Configuration()
    change(&configuration)
    return try FixtureApp(configuration: configuration).app.windows
  }

  private func join(
    _ windows: WindowGroup, _ stream: Identifier, of session: Identifier, navigation: Int = 1
  ) async throws -> Identifier {
    try await windows.join(
      stream: stream, session: session, at: "/fixture?search=\(stream.text.prefix(4))",
      navigation: navigation, tags: [:])
  }

  @Test(arguments: Counted.allCases)
  private func `streams beyond a limit are refused until one has ended`(counted: Counted)
    async throws
  {
    let windows = try self.makeWindows { configuration in
      switch counted {
      case .all: configuration.streams = 2
      case .session: configuration.streamsPerSession = 2
      case .network: configuration.streamsPerNetwork = 2
      }
    }
    let session = Identifier()
    // They share only what is counted.
    func open() throws -> Identifier {
      let stream = Identifier()
      _ = try windows.openStream(
        stream, session: counted == .session ? session : Identifier(),
        network: counted == .network ? "network" : stream.text)
      return stream
    }

    let first = try open()
    _ = try open()
    let error = #expect(throws: WindowError.self) { try open() }
    await windows.closeStream(first)
    _ = try open()

    #expect(error?.code == .tooManyStreams)
    #expect(throws: WindowError.self) { try open() }
    #expect(windows.streamCount == 2)
  }

  @Test(arguments: Counted.allCases, [true, false])
  private func `windows beyond a limit are refused until one has left, or its stream has ended`(
    counted: Counted, leaves: Bool
  ) async throws {
    let windows = try self.makeWindows { configuration in
      switch counted {
      case .all: configuration.windows = 2
      case .session: configuration.windowsPerSession = 2
      case .network: configuration.windowsPerNetwork = 2
      }
    }
    let streams = (0..<3).map { _ in Identifier() }
    // They share only what is counted.
    let sessions = counted == .session ? Array(repeating: Identifier(), count: 3) : streams
    for (stream, session) in zip(streams, sessions) {
      _ = try windows.openStream(
        stream, session: session, network: counted == .network ? "network" : stream.text)
    }

    let first = try await self.join(windows, streams[0], of: sessions[0])
    _ = try await self.join(windows, streams[1], of: sessions[1])
    let error = await #expect(throws: WindowError.self) {
      try await self.join(windows, streams[2], of: sessions[2])
    }
    if leaves {
      try await windows.leave(first, session: sessions[0])
    } else {
      await windows.closeStream(streams[0])
    }
    _ = try await self.join(windows, streams[2], of: sessions[2])

    #expect(error?.code == .tooManyWindows)
    await #expect(throws: WindowError.self) {
      try await self.join(windows, streams[1], of: sessions[1])
    }
    #expect(windows.windowCount == 2)
  }

  @Test func `others are let in while a session or a network has as much as it may`() async throws {
    let windows = try self.makeWindows { configuration in
      configuration.streamsPerSession = 1
      configuration.streamsPerNetwork = 1
      configuration.windowsPerSession = 1
      configuration.windowsPerNetwork = 1
    }

    for network in ["a", "b", nil, nil] {
      let stream = Identifier()
      _ = try windows.openStream(stream, session: stream, network: network)
      _ = try await self.join(windows, stream, of: stream)
    }

    #expect(windows.windowCount == 4)
  }

  @Test func `a window cannot join the stream of another session`() async throws {
    let windows = try self.makeWindows()
    let stream = Identifier()
    _ = try windows.openStream(stream, session: stream)

    let error = await #expect(throws: WindowError.self) {
      try await self.join(windows, stream, of: Identifier())
    }

    #expect(error?.code == .unknownStream)
    #expect(windows.windowCount == 0)
  }

  /// Requests that wait for their turn to render, and what happens meanwhile.
  private func whileRendering(
    _ windows: WindowGroup,
    _ requests: [@Sendable () async throws -> Void],
    meanwhile: () async throws -> Void = {}
  ) async throws -> [Result<Void, any Error>] {
    let turns = try windows.product.turns
    let (taken, gate) = (Gate(), Gate())
    let holding = Task {
      try await turns.take(Requester()) { @Sendable in
        taken.open()
        await gate.wait()
      }
    }
    await taken.wait()
    var tasks: [Task<Void, any Error>] = []
    for request in requests {
      tasks.append(Task { try await request() })
      while turns.waitingCount < tasks.count { await letOthersGoOn() }
    }
    try await meanwhile()
    gate.open()
    try await holding.value
    var results: [Result<Void, any Error>] = []
    for task in tasks { results.append(await task.result) }
    return results
  }

  @Test func `an older navigation does not replace a newer one that was made before it`()
    async throws
  {
    let windows = try self.makeWindows()
    let stream = Identifier()
    _ = try windows.openStream(stream, session: stream)
    let window = try await self.join(windows, stream, of: stream, navigation: 1)
    let navigations = [(3, "b"), (2, "a")].map { number, search in
      { @Sendable () async throws -> Void in
        try await windows.navigate(
          window, session: stream, to: "/fixture?search=\(search)", navigation: number, tags: nil)
      }
    }

    let results = try await self.whileRendering(windows, navigations)
    try await navigations[1]()

    for result in results { try result.get() }
    #expect(try await windows.product.url(of: window) == "/fixture?search=b")
  }

  @Test func `a window that leaves while it navigates leaves nothing behind`() async throws {
    let windows = try self.makeWindows()
    let stream = Identifier()
    _ = try windows.openStream(stream, session: stream)
    let window = try await self.join(windows, stream, of: stream)

    let navigate = { @Sendable () async throws -> Void in
      try await windows.navigate(
        window, session: stream, to: "/fixture?search=b", navigation: 2, tags: nil)
    }
    let results = try await self.whileRendering(windows, [navigate]) {
      try await windows.leave(window, session: stream)
    }

    #expect(throws: WindowError.self) { try results[0].get() }
    #expect(try await windows.product.size.places == 0)
  }
}

extension WindowGroup {
  fileprivate var product: Product<FixtureState> {
    get throws { try #require(self.allProducts.first as? Product<FixtureState>) }
  }
}

extension Product {
  /// The URL that a window shows.
  fileprivate func url(of window: Identifier) -> String? {
    self.places[window]?.place.location.url
  }
}
