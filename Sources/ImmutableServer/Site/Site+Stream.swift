import Foundation
import HTTPConnections
import HTTPTypes
import Hummingbird
import ImmutableRuntime
import ImmutableUI
import NIOCore
import NIOHTTP1

extension Site {
  /// The stream of a browser. With `?at=/path`, or a body, a window joins it immediately.
  func stream(
    _ request: Request,
    _ client: Client,
    _ context: Context
  ) async throws -> Response {
    // Otherwise pages of other sites could let their visitors use up the streams.
    try OriginPolicy.checkSource(of: request.head)
    let channel = context.channel
    guard try await Self.knowsChunks(channel) else {
      throw HTTPFailure(
        status: .httpVersionNotSupported,
        message: "A stream needs HTTP/1.1. In nginx, set proxy_http_version 1.1."
      )
    }
    let session = self.sessions.session(of: request.head)
    let first = try await self.first(request, client)
    // The body may have taken long to arrive.
    try self.refuseWhileShuttingDown()
    try self.refuseWhileCutOff()
    let (id, window) = (Identifier(), first.map { _ in Identifier() })
    let query = Query(request.uri.query ?? "")
    let event = try self.windows.openStream(
      id,
      session: session.id,
      network: client.network,
      window: window,
      protocolVersion: query["protocol"],
      hasCurrentFiles: [nil, self.files.version].contains(query["files"])
    )
    let (windows, environment) = (self.windows, request.environment(of: session))
    let requester = self.requester(client, context, session, isPatient: true)
    let (method, path, logger) = (request.method, request.uri.path, context.logger)
    channel.closeFuture.whenComplete { _ in
      Task { await windows.closeStream(id) }
    }
    var headers: HTTPFields = [
      .contentType: "text/event-stream",
      .cacheControl: "no-store",
      .vary: "Accept-Encoding",
      .xAccelBuffering: "no",
      // When the stream ends, nothing else can be asked on its connection.
      .connection: "close",
    ]
    let isPacked = request.acceptsGzip
    headers[.contentEncoding] = isPacked ? "gzip" : nil
    if session.isNew {
      headers[.setCookie] = self.sessions.setCookie(
        session.id,
        isSecure: client.isSecure
      )
    }
    return Response(
      status: .ok,
      headers: headers,
      body: ResponseBody { writer in
        // HTTP encoding has written the head; from here on the hub writes. The hub must know the
        // stream before the client does, because the client may join it immediately.
        let events = try await channel.eventLoop.submit {
          try self.attach(
            id, of: session.id, at: client.network, to: channel, event, isPacked: isPacked)
        }.get()
        if let first, let window {
          // A task keeps the memory of its deepest call until it ends, and without direct writes this
          // one ends with the stream.
          await Task {
            do {
              _ = try await self.windows.join(
                window,
                stream: id,
                session: session.id,
                at: first.at,
                navigation: first.navigation,
                tags: first.tags ?? [:],
                awaited: first.awaited ?? [],
                environment: environment,
                requester: requester
              )
            } catch {
              let failure = self.logged(error, of: method, path, logger)
              self.windows.refuse(window, on: id, message: failure.message)
            }
          }.value
        }
        guard let events else { throw StreamGoesOn() }
        for await event in events {
          try await writer.write(event)
          let count = event.readableBytes
          channel.eventLoop.execute {
            self.didWrite(count, to: channel, id)
          }
        }
        // If the client has disconnected, requests that it sent after the one for the stream are
        // not carried out.
        guard channel.isActive else { throw ChannelError.ioOnClosedChannel }
        try await writer.finish(nil)
      }
    )
  }

  /// The window that joins with the stream. The stream is also for other windows, so it opens even if
  /// there is no page for this one; the window then learns why when it joins by itself.
  private func first(_ request: Request, _ client: Client) async throws -> NavigationJSON? {
    if request.method == .post {
      let limit = self.configuration.bodyLimit
      let first = try await request.json(NavigationJSON.self, limit: limit)
      return (try? self.requirePage(at: first.at, for: request, client)).map { first }
    }
    guard let url = Query(request.uri.query ?? "")["at"] else { return nil }
    try self.requirePage(at: url, for: request, client)
    return NavigationJSON(at: url, navigation: 1, tags: nil, awaited: nil)
  }

  private static func knowsChunks(_ channel: any Channel) async throws -> Bool {
    try await channel.eventLoop.submit {
      let handler = try? channel.pipeline.syncOperations.handler(type: ConnectionHandler.self)
      return handler?.isAnsweringHTTP10 != true
    }.get()
  }

  /// Hands a channel to the hub of its event loop. Runs on that loop.
  ///
  /// - Parameters:
  ///   - client: The network of the client.
  ///   - event: The stream's first event.
  ///   - isPacked: Whether the client accepts a compressed stream.
  /// - Returns: The events, if the channel cannot be written to directly; they end with the stream.
  private func attach(
    _ id: Identifier,
    of session: Identifier,
    at client: String,
    to channel: any Channel,
    _ event: StreamEvent,
    isPacked: Bool
  ) throws -> AsyncStream<ByteBuffer>? {
    let pipeline = channel.pipeline.syncOperations
    guard channel.isActive, let streams = self.hubs.streams(beside: channel),
      let connection = try? pipeline.handler(type: ConnectionHandler.self)
    else { throw ChannelError.ioOnClosedChannel }
    let hub = streams.hub
    let catchUp = { if channel.isActive { hub.catchUp(id) } }
    let sink: EventSink
    var events: AsyncStream<ByteBuffer>?
    if self.configuration.writesStreamsRaw,
      let context = try? pipeline.context(handlerType: HTTPResponseEncoder.self),
      let socket = Self.socket(of: channel)
    {
      sink = SocketSink(
        context: context,
        socket: socket,
        encoder: streams.encoder,
        isPacked: isPacked,
        unread: self.windows.unread,
        client: client,
        onWritable: catchUp
      ) {
        // Later, because a stream that is aborted has no end.
        channel.eventLoop.assumeIsolated().execute { connection.endStream() }
      }
    } else {
      let (stream, continuation) = AsyncStream.makeStream(of: ByteBuffer.self)
      events = stream
      sink = WriterSink(
        channel: channel,
        encoder: streams.encoder,
        isPacked: isPacked,
        unread: self.windows.unread,
        client: client,
        events: continuation
      ) {
        continuation.finish()
      }
    }
    let slow = self.slowed(sink, of: session, onWritable: catchUp)
    // The hub must forget the stream before anything else happens on this loop, because the
    // descriptor may by then belong to another connection.
    let isStream = connection.becomeStream(outlivesTask: events == nil, onWritable: catchUp) {
      hub.remove(id)
      slow?.forget()
      sink.close()
    }
    guard isStream else {
      // A request after the stream's cannot be answered, and must not be carried out without an
      // answer.
      channel.close(promise: nil)
      throw ChannelError.inputClosed
    }
    self.giveUpSilence(of: channel)
    let first: any StreamSink = slow ?? sink
    first.write(event)
    hub.open(id, first)
    if channel.isActive == false {
      // A write has found that the client has disconnected, before the connection knew of the stream, or
      // before the hub did.
      connection.channelDidClose()
      hub.remove(id)
    }
    return events
  }

  /// Makes the system close a connection whose client acknowledges nothing for the write timeout. A
  /// client that has vanished looks writable until the kernel's buffers are full, which can take
  /// hours with small events; the kernel would then retry for a quarter of an hour.
  ///
  /// Source: tcp(7), TCP_USER_TIMEOUT; RFC 5482.
  private func giveUpSilence(of channel: any Channel) {
    #if os(Linux)
      // The system keeps it in 32 bits, and an operator may choose any time.
      let limit = TimeAmount(self.configuration.writeTimeout).nanoseconds / 1_000_000
      try? channel.syncOptions?.setOption(
        .tcpOption(NIOBSDSocket.Option(rawValue: TCP_USER_TIMEOUT)),
        value: Int(min(limit, Int64(Int32.max)))
      )
    #endif
  }

  /// The channel's socket descriptor, if it has one.
  private static func socket(of channel: any Channel) -> NIOBSDSocket.Handle? {
    try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(
      of: NIOBSDSocket.Handle.self
    ) { $0 }
  }

  private func didWrite(_ count: Int, to channel: any Channel, _ id: Identifier) {
    self.hubs.streams(beside: channel)?.hub.didWrite(count, to: id)
  }
}

/// The end of the task of a stream that the hub goes on writing to.
private struct StreamGoesOn: Error {}

extension Hub {
  /// The response writer has written some of the waiting bytes.
  fileprivate func didWrite(_ count: Int, to id: Identifier) {
    let sink = self.sink(of: id)
    (((sink as? SlowSink)?.sink ?? sink) as? WriterSink)?.didWrite(count)
    self.catchUp(id)
  }
}
