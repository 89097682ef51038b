import NIOCore

/// Closes a connection whose request does not arrive in time, or whose client does not take what it is
/// sent.
///
/// It is the first handler: it sees bytes, and what it writes goes out as it is.
///
/// A request has to arrive within a time, from its first byte to its last. While bytes wait to be taken,
/// the client has to take some of them: all that wait, or as many as a very slow connection carries.
/// Without that a client that stops reading would keep a descriptor, and what waits for it, for ever.
final class ConnectionDeadlines: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// How often in the time for writing it is looked whether the client has taken something.
  private static let looks: Int64 = 4
  /// How many bytes a client takes in a second at the least.
  private static let leastRate = 1_024

  private let readTimeout: TimeAmount
  private var writeTimeout: TimeAmount
  private var context: ChannelHandlerContext?
  private var reading: Scheduled<Void>?
  private var writing: Scheduled<Void>?
  /// How many bytes were given to the channel, ever.
  private var given = 0
  /// How many of them the client had taken, and when, as it was last seen to take enough.
  private var taken = (count: 0, at: NIODeadline.uptimeNanoseconds(0))

  /// Whether what comes in is not read any more.
  var dropsInput = false
  private var hasDropped = false
  /// Whether the connection has become a stream, whose client has nothing more to say.
  var isStream = false

  /// - Parameters:
  ///   - readTimeout: How long a request may take to arrive.
  ///   - writeTimeout: How long a client may take next to nothing of what is written.
  init(readTimeout: TimeAmount, writeTimeout: TimeAmount) {
    self.readTimeout = readTimeout
    self.writeTimeout = writeTimeout
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    self.didReadRequest()
    self.writing?.cancel()
    self.writing = nil
    self.context = nil
  }
}

// Reading.
extension ConnectionDeadlines {
  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard self.isStream == false else { return context.close(promise: nil) }
    guard self.dropsInput == false else {
      self.hasDropped = true
      return
    }
    if self.reading == nil {
      self.reading = context.eventLoop.assumeIsolated().scheduleTask(in: self.readTimeout) {
        context.fireUserInboundEventTriggered(RefusedRequest(status: "408 Request Timeout"))
      }
    }
    context.fireChannelRead(data)
  }

  func didReadRequest() {
    self.reading?.cancel()
    self.reading = nil
  }

  /// Whether something has come that was not read, since this was last asked.
  func takeDropped() -> Bool {
    defer { self.hasDropped = false }
    return self.hasDropped
  }

  /// Answers with an empty response, and closes.
  func refuse(_ status: String) {
    guard let context = self.context else { return }
    let response = "HTTP/1.1 \(status)\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
    self.write(
      context: context,
      data: self.wrapOutboundOut(ByteBuffer(string: response)),
      promise: nil
    )
    self.flush(context: context)
    context.close(promise: nil)
  }
}

/// An event: the newest request cannot be taken, for example since it has not arrived in time.
struct RefusedRequest {
  /// Code and reason.
  let status: String
}

// Writing.
extension ConnectionDeadlines {
  func write(
    context: ChannelHandlerContext,
    data: NIOAny,
    promise: EventLoopPromise<Void>?
  ) {
    self.given += self.unwrapOutboundIn(data).readableBytes
    context.write(data, promise: promise)
  }

  func flush(context: ChannelHandlerContext) {
    context.flush()
    guard self.writing == nil, self.waiting(context) > 0 else { return }
    self.taken = (self.given - self.waiting(context), .now())
    self.lookLater(context)
  }

  /// From now on a client gets no more than this time.
  func shorten(to writeTimeout: TimeAmount) {
    guard let context = self.context, writeTimeout < self.writeTimeout else { return }
    self.writeTimeout = writeTimeout
    guard self.writing != nil else { return }
    self.writing?.cancel()
    self.taken.at = .now()
    self.lookLater(context)
  }

  private func lookLater(_ context: ChannelHandlerContext) {
    let interval = TimeAmount.nanoseconds(self.writeTimeout.nanoseconds / Self.looks)
    self.writing = context.eventLoop.assumeIsolated().scheduleTask(in: interval) {
      self.look(context)
    }
  }

  private func look(_ context: ChannelHandlerContext) {
    self.writing = nil
    let waiting = self.waiting(context)
    guard waiting > 0 else { return }
    let count = self.given - waiting
    let seconds = max(1, Int(self.writeTimeout.nanoseconds / 1_000_000_000))
    if count - self.taken.count >= Self.leastRate * seconds {
      self.taken = (count, .now())
    } else if .now() - self.taken.at >= self.writeTimeout {
      return context.close(promise: nil)
    }
    self.lookLater(context)
  }

  /// How many bytes wait to be taken.
  private func waiting(_ context: ChannelHandlerContext) -> Int {
    (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
  }
}
