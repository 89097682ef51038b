import HTTPTypes
package import NIOCore
import NIOHTTP1
package import NIOHTTPTypes
import NIOHTTPTypesHTTP1

#if canImport(Glibc)
  import Glibc
#endif

/// Handles what Hummingbird does not: heads that are too large, responses after which the
/// connection ends, HTTP/1.0, `Expect: 100-continue`, clients that disconnect, and notice of when
/// the channel is writable again.
///
/// It sits between HTTP decoding and Hummingbird's own handlers.
package final class ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
  package typealias InboundIn = HTTPRequestPart
  package typealias InboundOut = HTTPRequestPart
  package typealias OutboundIn = HTTPResponsePart
  package typealias OutboundOut = HTTPResponsePart

  /// After the last response has been sent, the connection is closed once the client has sent nothing
  /// for this long, or at the deadline for requests. Closing while the client still sends could destroy
  /// the response before the client reads it.
  private static let lingering = TimeAmount.seconds(1)

  /// How long a client may take no bytes during a shutdown.
  private static let endingWriteTimeout = TimeAmount.seconds(1)

  /// How many bytes are read at once.
  private static let readLimit = 8_192

  /// The maximum size of the head of a request after which the connection goes on, in bytes.
  fileprivate static let keptHead = 8_192

  private let deadlines: ConnectionDeadlines
  private let line = RequestLine()
  private let limits: (body: Int, upload: Int)
  /// The maximum size of the newest request's body.
  private var bodyLimit: Int
  private let readTimeout: TimeAmount
  private let endSignal: EndSignal
  private let refusal: ConnectionLimits.Refusal
  private let shares: ConnectionShares?
  /// The client whose share this connection takes; `nil` if it takes none.
  private var share: String?
  /// The body length of the newest request: as declared, otherwise as received so far.
  private var bodyLength = 0
  private var isLengthDeclared = false
  /// Whether the answer that is being written is the last one: its head says so.
  private var endsAfterAnswer = false
  /// Whether the newest request is the last on this connection: its client asks for that, uses
  /// HTTP/1.0, offers another protocol, after which nothing can be parsed, or its head is large.
  private var isLast = false
  private var isInputClosed = false
  private var isQuiescing = false
  private var isEnding = false
  private var isAnswered = false
  /// The number of requests that have begun to arrive and have not been answered completely.
  private var owedAnswers = 0
  /// Whether the newest of them has not arrived completely.
  private var isReadingRequest = false
  /// The number of requests before the one that is arriving that have not been answered. It is
  /// negative if that one was answered before it had arrived completely.
  private var earlierAnswers: Int { self.owedAnswers - (self.isReadingRequest ? 1 : 0) }
  /// Whether the head of the oldest pending response has been written.
  private var isWritingAnswer = false
  /// The status that ends the connection once the earlier requests have their responses.
  private var pendingRefusal: HTTPResponse.Status?
  /// The stream's callbacks. Set while this connection is a stream.
  private var stream: (onWritable: () -> Void, onClose: () -> Void)? {
    didSet { self.deadlines.isStream = self.stream != nil }
  }
  /// Whether the next request to close the output, or the channel, is one that the task of a stream
  /// makes when it ends.
  private var ignoresCloses = (ofOutput: false, ofAll: false)
  /// Whether the connection ends by itself, once its client has read the last answer.
  private var isLingering = false
  private var context: ChannelHandlerContext?

  /// How long a connection may continue after a shutdown has begun, if there is that much time.
  private static let endTimeout = Duration.seconds(5)

  package init(_ limits: ConnectionLimits) {
    self.deadlines = ConnectionDeadlines(
      readTimeout: TimeAmount(limits.readTimeout),
      writeTimeout: TimeAmount(limits.writeTimeout),
      idleTimeout: TimeAmount(limits.idleTimeout),
      arrivals: limits.arrivals
    )
    self.limits = (limits.body, limits.upload)
    self.bodyLimit = limits.body
    self.readTimeout = TimeAmount(limits.readTimeout)
    self.endSignal = limits.endSignal
    self.refusal = limits.refusal
    self.shares = limits.shares
  }

  /// Whether the server is shutting down. The response in progress is then the last one, however
  /// many requests are waiting.
  private var isServerEnding: Bool {
    self.isQuiescing || self.endSignal.hasCome
  }

  /// Whether the request that is being answered uses HTTP/1.0, which has no chunked encoding.
  package var isAnsweringHTTP10: Bool {
    self.line.isAnsweringHTTP10
  }

  /// Whether the client has closed its side. A busy server then skips its requests.
  package var hasClientGone: Bool {
    self.isInputClosed
  }

  package func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    // All bytes of one read are decoded together, and requests take twenty times as much memory as
    // their bytes, so the reads are small.
    let options = context.channel.syncOptions
    try? options?.setOption(.recvAllocator, value: ReadBuffers(capacity: Self.readLimit))
    try? options?.setOption(.maxMessagesPerRead, value: 1)
    self.limitUnsentBytes(of: context.channel)
    let pipeline = context.pipeline.syncOperations
    // The deadlines must see bytes before they form a head, and `line` must see what decoding
    // drops.
    try? pipeline.addHandler(self.deadlines, position: .first)
    if let codec = try? pipeline.handler(type: HTTP1ToHTTPServerCodec.self) {
      try? pipeline.addHandler(self.line, position: .before(codec))
    }
  }

  package func handlerRemoved(context: ChannelHandlerContext) {
    self.context = nil
  }
}

extension ConnectionHandler {
  /// How many bytes may wait in the system.
  private static let unsentLimit = 128 << 10

  /// Makes the system accept bytes while the client reads. By default it accepts megabytes, and then
  /// nothing until a third of them has been sent, so a slow client would seem to read nothing.
  ///
  /// Source: tcp(7), TCP_NOTSENT_LOWAT.
  private func limitUnsentBytes(of channel: any Channel) {
    #if os(Linux)
      try? channel.syncOptions?.setOption(
        .tcpOption(NIOBSDSocket.Option(rawValue: TCP_NOTSENT_LOWAT)), value: Self.unsentLimit)
    #endif
  }
}

// Streams.
extension ConnectionHandler {
  /// Turns the response that is being written into a stream, which is the last response of the
  /// connection. Anything that the client sends afterwards closes the connection.
  ///
  /// - Parameters:
  ///   - outlivesTask: Whether the connection's task ends before the stream, with an error that the
  ///     body of the response throws. The channel stays open then, until ``endStream()``. A task keeps
  ///     the memory of its deepest call until it ends, and streams are open for hours.
  ///   - onWritable: Called when the channel is writable again.
  ///   - onClose: Called once, when the channel has closed.
  /// - Returns: `false` if another request has already arrived, which could never be answered, or
  ///   if the client has closed its side, which counts as disconnecting.
  package func becomeStream(
    outlivesTask: Bool,
    onWritable: @escaping () -> Void,
    onClose: @escaping () -> Void
  ) -> Bool {
    guard self.owedAnswers == 1, self.isReadingRequest == false, self.isEnding == false,
      self.isInputClosed == false
    else { return false }
    self.deadlines.didReadRequest()
    self.deadlines.didAnswer()
    self.stream = (onWritable: onWritable, onClose: onClose)
    self.ignoresCloses = (ofOutput: outlivesTask, ofAll: outlivesTask)
    if outlivesTask { self.deadlines.watchStream() }
    return true
  }

  /// Ends the response of a stream that has outlived its task, if its channel is still open.
  package func endStream() {
    guard self.stream != nil, let context = self.context, context.channel.isActive else { return }
    self.write(context: context, data: self.wrapOutboundOut(.end(nil)), promise: nil)
  }

  package func close(
    context: ChannelHandlerContext,
    mode: CloseMode,
    promise: EventLoopPromise<Void>?
  ) {
    switch mode {
    case .output where self.ignoresCloses.ofOutput: self.ignoresCloses.ofOutput = false
    case .all where self.ignoresCloses.ofAll: self.ignoresCloses.ofAll = false
    case .output where self.hasUnreadAnswer, .all where self.hasUnreadAnswer:
      if self.isLingering == false { self.end(context) }
    default: return context.close(mode: mode, promise: promise)
    }
    promise?.succeed()
  }

  /// Whether the last answer is complete, but a part of it has not been sent. Closing would drop that.
  private var hasUnreadAnswer: Bool {
    self.isWritingAnswer == false && self.deadlines.hasUnsentBytes
  }
}

// Input.
extension ConnectionHandler {
  package func channelActive(context: ChannelHandlerContext) {
    do {
      self.share = try self.shares?.add(context.remoteAddress?.ipAddress)
    } catch {
      // Nothing is answered: a client that does not read the answer would keep its descriptor.
      return context.close(promise: nil)
    }
    self.deadlines.client = self.share
    self.deadlines.didBecomeIdle()
    context.fireChannelActive()
  }

  package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard self.isEnding == false else { return }
    switch self.unwrapInboundIn(data) {
    case .head(var head):
      // What follows a refused body must not be parsed as a request, even if it arrived before the
      // refusal was written.
      guard self.bodyLength <= self.bodyLimit else {
        self.isEnding = true
        if self.isAnswered { context.close(promise: nil) }
        return
      }
      guard self.isLast == false else {
        self.isEnding = true
        return
      }
      self.isAnswered = false
      self.owedAnswers += 1
      self.isReadingRequest = true
      let isUpload = head.hasFiles && self.limits.upload > self.limits.body
      self.bodyLimit = isUpload ? self.limits.upload : self.limits.body
      if isUpload { self.deadlines.didBeginUpload() }
      self.bodyLength = head.headerFields[.contentLength].flatMap(Int.init) ?? 0
      self.isLengthDeclared = self.bodyLength > 0
      self.deadlines.missing = self.bodyLength
      if self.line.isHTTP10 || self.line.isUpgrade || head.asksToClose || head.isLarge {
        self.isLast = true
        head.headerFields[.connection] = "close"
      }
      self.answer(expectation: head, context)
      context.fireChannelRead(self.wrapInboundOut(.head(head)))
    case .body(let buffer):
      self.deadlines.received += buffer.readableBytes
      if self.isLengthDeclared {
        self.deadlines.missing -= buffer.readableBytes
      } else {
        self.bodyLength += buffer.readableBytes
        // Its answer did not wait for it, so nobody refuses it.
        if self.bodyLength > self.bodyLimit, self.earlierAnswers < 0 {
          return self.end(context)
        }
      }
      context.fireChannelRead(data)
    case .end:
      self.isReadingRequest = false
      self.deadlines.didReadRequest()
      // Its answer did not wait for it.
      if self.owedAnswers == 0 {
        self.deadlines.didAnswer()
        self.deadlines.didBecomeIdle()
      }
      // Discard everything that follows. Decoding would buffer it if another protocol was offered.
      self.deadlines.dropsInput = self.isLast
      context.fireChannelRead(data)
    }
  }

  /// Tells a client that waits before sending its body to continue.
  ///
  /// Source: RFC 9110, section 10.1.1.
  private func answer(expectation head: HTTPRequest, _ context: ChannelHandlerContext) {
    // Nothing may be written in the middle of an earlier response.
    guard self.line.isHTTP10 == false, self.owedAnswers == 1,
      head.headerFields[.expect]?.lowercased() == "100-continue",
      (head.headerFields[.contentLength].flatMap(Int.init) ?? 0) <= self.bodyLimit
    else { return }
    context.writeAndFlush(
      self.wrapOutboundOut(.head(HTTPResponse(status: .continue))),
      promise: nil
    )
  }

  package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case ChannelEvent.inputClosed:
      self.isInputClosed = true
      // The client of a stream that closes its side counts as disconnected.
      if self.stream != nil { context.close(promise: nil) }
    case is LateRequest:
      // It may have waited in the socket, because nothing is read while too many answers wait.
      if self.earlierAnswers > 0 { return self.deadlines.restart() }
      return self.refuse(.requestTimeout, context)
    case let refused as RefusedRequest:
      return self.refuse(refused.status, context)
    case is ChannelShouldQuiesceEvent:
      // A client that reads nothing, or sends its request forever, must not keep the server from
      // shutting down.
      self.deadlines.shorten(to: Self.endingWriteTimeout)
      self.isQuiescing = true
      if self.owedAnswers > 0, self.isReadingRequest == false { self.deadlines.dropsInput = true }
      let limit = TimeAmount(
        min(Self.endTimeout, self.endSignal.deadline.left(for: .connections)))
      context.eventLoop.assumeIsolated().scheduleTask(in: limit) {
        context.close(promise: nil)
      }
    default:
      break
    }
    context.fireUserInboundEventTriggered(event)
  }

  /// Refuses the newest request and everything after it. Earlier requests get their responses
  /// first, because nothing may be written in the middle of one.
  private func refuse(_ status: HTTPResponse.Status, _ context: ChannelHandlerContext) {
    // Otherwise it ends without that, once its last answer has been read.
    guard self.isEnding == false else { return }
    self.isEnding = true
    if self.earlierAnswers > 0, self.stream == nil {
      self.pendingRefusal = status
    } else if self.earlierAnswers == 0, self.stream == nil, self.isWritingAnswer == false {
      self.end(with: status, context)
    } else {
      context.close(promise: nil)
    }
  }

  /// Answers with the status, and closes once the client can have read it.
  private func end(with status: HTTPResponse.Status, _ context: ChannelHandlerContext) {
    let (fields, body) = self.refusal(status)
    self.deadlines.refuse(status, fields, body)
    self.closeOutput(context)
    self.linger(context)
  }

  package func channelInactive(context: ChannelHandlerContext) {
    if let share { self.shares?.remove(share) }
    self.share = nil
    self.channelDidClose()
    context.fireChannelInactive()
  }

  package func channelDidClose() {
    self.stream?.onClose()
    self.stream = nil
  }

  package func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if case HTTPParserError.headerOverflow? = error as? HTTPParserError {
      self.refuse(.requestHeaderFieldsTooLarge, context)
    } else if self.isEnding, error is HTTPParserError || error is ByteToMessageDecoderError {
      // What comes after the last request need not be one.
    } else {
      context.fireErrorCaught(error)
    }
  }
}

// Output.
extension ConnectionHandler {
  package func write(
    context: ChannelHandlerContext,
    data: NIOAny,
    promise: EventLoopPromise<Void>?
  ) {
    switch self.unwrapOutboundIn(data) {
    case .head(var head):
      let isLastAnswer = self.isServerEnding || self.isLast && self.owedAnswers == 1
      if self.bodyLength > self.bodyLimit || isLastAnswer {
        head.headerFields[.connection] = "close"
      }
      if head.headerFields[.connection] == "close" {
        self.endsAfterAnswer = true
      }
      self.isWritingAnswer = true
      context.write(self.wrapOutboundOut(.head(head)), promise: promise)
    case .body:
      context.write(data, promise: promise)
    case .end:
      self.isAnswered = true
      self.isWritingAnswer = false
      self.owedAnswers -= 1
      if self.earlierAnswers <= 0 { self.deadlines.didAnswer() }
      if let status = self.pendingRefusal, self.endsAfterAnswer == false {
        context.writeAndFlush(data, promise: promise)
        if self.earlierAnswers == 0 { self.end(with: status, context) }
        return
      }
      guard self.endsAfterAnswer || self.isServerEnding else {
        if self.earlierAnswers == 0 {
          self.deadlines.restart()
          self.deadlines.didBecomeIdle()
        }
        return context.write(data, promise: promise)
      }
      context.writeAndFlush(data, promise: promise)
      self.end(context)
    }
  }

  /// Closes once the client can have read the last answer.
  private func end(_ context: ChannelHandlerContext) {
    self.isEnding = true
    self.closeOutput(context)
    self.linger(context)
  }

  /// Closes the output once everything has been sent. If the client has closed its side, the whole
  /// channel would be closed at once, so only ``linger(_:until:)`` closes it.
  private func closeOutput(_ context: ChannelHandlerContext) {
    guard self.isInputClosed == false || self.deadlines.hasUnsentBytes == false else { return }
    context.close(mode: .output, promise: nil)
  }

  private func linger(_ context: ChannelHandlerContext) {
    self.isLingering = true
    self.deadlines.discardInput()
    self.linger(context.channel, until: .now() + self.readTimeout)
  }

  private func linger(_ channel: any Channel, until deadline: NIODeadline) {
    channel.eventLoop.assumeIsolated().scheduleTask(in: Self.lingering) {
      if self.deadlines.hasUnsentBytes {
        // The client still reads, or the write timeout closes the channel.
        self.linger(channel, until: .now() + self.readTimeout)
      } else if self.deadlines.takeDropped(), NIODeadline.now() < deadline {
        self.linger(channel, until: deadline)
      } else {
        channel.close(promise: nil)
      }
    }
  }

  package func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable {
      self.stream?.onWritable()
    }
    context.fireChannelWritabilityChanged()
  }
}

extension HTTPRequest {
  /// Whether its body may have files.
  fileprivate var hasFiles: Bool {
    let type = self.headerFields[.contentType]?.lowercased() ?? ""
    return ["multipart/form-data", "image/"].contains { type.hasPrefix($0) }
  }

  /// Whether its head takes much memory. Hummingbird (2.28) holds the head of a request until the next one
  /// comes, so idle connections would hold far more than requests that are being answered may.
  fileprivate var isLarge: Bool {
    self.headerFields.reduce(self.path?.utf8.count ?? 0) { $0 + $1.value.utf8.count }
      > ConnectionHandler.keptHead
  }

  /// Whether the client asks for the connection to be closed.
  ///
  /// Source: RFC 9112, section 9.6.
  fileprivate var asksToClose: Bool {
    self.headerFields[values: .connection].contains { value in
      value.split(separator: ",").contains {
        $0.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }.lowercased()
          == "close"
      }
    }
  }
}
