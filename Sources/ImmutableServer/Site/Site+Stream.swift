import Foundation
import HTTPConnections
import HTTPTypes
import Hummingbird
import ImmutableRuntime
import ImmutableUI
import NIOCore
import NIOHTTP1

extension Site {
  /// The stream of a browser. With `?at=/path` a window joins it at once.
  func stream(
    _ request: Request,
    _ client: Client,
    _ context: Context
  ) async throws -> Response {
    try self.refuseWhileShuttingDown()
    let channel = context.channel
    guard try await Self.knowsChunks(channel) else {
      throw Failure(
        status: .httpVersionNotSupported,
        message: "A stream needs HTTP/1.1. In nginx, set proxy_http_version 1.1."
      )
    }
    let (session, isNew) = self.sessions.session(of: request.head)
    let id = Identifier()
    let url = Query(request.uri.query ?? "")["at"]
    if let url, self.windows.hasPage(at: String(url.prefix { $0 != "?" })) == false {
      throw Failure(status: .notFound, message: "There is no page at \(url).")
    }
    let (event, version) = try self.windows.openStream(
      id,
      session: session,
      address: client.network
    )
    let (windows, environment) = (self.windows, request.environment)
    channel.closeFuture.whenComplete { _ in
      Task { await windows.closeStream(id) }
    }
    var headers: HTTPFields = [
      .contentType: "text/event-stream",
      .cacheControl: "no-store",
      .xAccelBuffering: "no",
    ]
    if isNew {
      headers[.setCookie] = self.sessions.setCookie(
        session,
        isSecure: client.isSecure
      )
    }
    let site = self
    return Response(
      status: .ok,
      headers: headers,
      body: ResponseBody { writer in
        // The head went through HTTP encoding; from here on the hub writes. It knows the stream before
        // the client does, which could join it at once.
        let (events, continuation) = AsyncStream.makeStream(of: ByteBuffer.self)
        try await channel.eventLoop.submit {
          try site.attach(id, to: channel, event, version, continuation)
        }.get()
        if let url {
          _ = try? await site.windows.join(
            stream: id,
            session: session,
            at: url,
            navigation: 1,
            tags: [:],
            environment: environment
          )
        }
        for await event in events {
          try await writer.write(event)
          let count = event.readableBytes
          channel.eventLoop.execute {
            site.didWrite(count, to: channel, id)
          }
        }
        // Requests that have come behind the stream of a client that has gone are not carried out.
        guard channel.isActive else { throw ChannelError.ioOnClosedChannel }
        try await writer.finish(nil)
      }
    )
  }

  private static func knowsChunks(_ channel: any Channel) async throws -> Bool {
    try await channel.eventLoop.submit {
      let handler = try? channel.pipeline.syncOperations.handler(type: ConnectionHandler.self)
      return handler?.isHTTP10 != true
    }.get()
  }

  /// Gives a channel to its loop's hub. Runs on that loop.
  ///
  /// - Parameters:
  ///   - event: The stream's first, of this version.
  ///   - continuation: Is finished when the stream ends; takes the events where the channel cannot be
  ///     written raw.
  private func attach(
    _ id: Identifier,
    to channel: any Channel,
    _ event: StreamEvent,
    _ version: UInt64,
    _ continuation: AsyncStream<ByteBuffer>.Continuation
  ) throws {
    let pipeline = channel.pipeline.syncOperations
    guard channel.isActive, let streams = self.hubs.streams(beside: channel),
      let connection = try? pipeline.handler(type: ConnectionHandler.self)
    else {
      continuation.finish()
      return
    }
    let hub = streams.hub
    let catchUp = { if channel.isActive { hub.catchUp(id) } }
    let sink: EventSink
    if self.configuration.writesStreamsRaw,
      let context = try? pipeline.context(handlerType: HTTPResponseEncoder.self),
      let socket = Self.socket(of: channel)
    {
      sink = SocketSink(
        context: context,
        socket: socket,
        encoder: streams.encoder,
        onWritable: catchUp
      ) {
        continuation.finish()
      }
    } else {
      sink = WriterSink(channel: channel, events: continuation) {
        continuation.finish()
      }
    }
    // The hub must have forgotten it before anything else happens on this loop: by then its descriptor
    // may be that of another connection.
    let isStream = connection.becomeStream(onWritable: catchUp) {
      hub.remove(id)
      continuation.finish()
    }
    guard isStream else {
      // A request behind the stream can neither be answered nor be carried out unseen.
      channel.close(promise: nil)
      throw ChannelError.inputClosed
    }
    self.giveUpSilence(of: channel)
    sink.write(event)
    hub.open(id, sink, version: version)
    if channel.isActive == false {
      // The first write has found that there is nobody.
      connection.channelDidClose()
    }
  }

  /// Has the system close a channel whose client acknowledges nothing for as long as a stream may take
  /// nothing: one that has vanished looks writable until its buffers are full, which events as small
  /// as ours may take hours to do, and would be tried for a quarter of an hour.
  ///
  /// Source: tcp(7), TCP_USER_TIMEOUT; RFC 5482.
  private func giveUpSilence(of channel: any Channel) {
    #if os(Linux)
      let limit = Int(self.configuration.writeTimeout / .milliseconds(1))
      try? channel.syncOptions?.setOption(
        .tcpOption(NIOBSDSocket.Option(rawValue: TCP_USER_TIMEOUT)),
        value: limit
      )
    #endif
  }

  /// The descriptor that a channel reads and writes, where it has one.
  private static func socket(of channel: any Channel) -> NIOBSDSocket.Handle? {
    try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(
      of: NIOBSDSocket.Handle.self
    ) { $0 }
  }

  private func didWrite(_ count: Int, to channel: any Channel, _ id: Identifier) {
    self.hubs.streams(beside: channel)?.hub.didWrite(count, to: id)
  }
}

extension Hub {
  /// A response writer has taken some of what waited.
  fileprivate func didWrite(_ count: Int, to id: Identifier) {
    (self.sink(of: id) as? WriterSink)?.didWrite(count)
    self.catchUp(id)
  }
}
