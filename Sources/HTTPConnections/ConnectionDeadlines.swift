import HTTPTypes
import NIOCore

/// Closes a connection whose request does not arrive in time, whose client does not read what it is
/// sent, or that is idle for too long.
///
/// It is the first handler, so it sees raw bytes, and nothing changes what it writes.
///
/// A request must arrive completely within the read timeout. A request with files need only keep
/// arriving, as fast as a slow mobile connection sends. While bytes wait to be sent, the client
/// must take all of them, or as many as a very slow connection carries, within the write timeout.
/// Otherwise, a client that stops reading would occupy a descriptor, and the waiting bytes,
/// forever. A connection is idle while no request has begun to arrive and nothing waits to be sent.
final class ConnectionDeadlines: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// How many times within the write timeout the client's progress is checked.
  private static let looks = 4
  /// The minimum number of bytes that a client must take per second.
  private static let leastRate = 1_024

  /// The minimum number of bytes that the client of an upload must send per second. With the limit
  /// of its size, that also bounds how long an upload may take.
  static let leastUploadRate = 4_096

  private let readTimeout: TimeAmount
  private let idleTimeout: TimeAmount
  private let arrivals: ArrivalBudget
  private var writeTimeout: TimeAmount
  private var context: ChannelHandlerContext?
  private lazy var timers = LoopTimers.ofThisThread
  private var reading: TimerTable.Timer?
  private var writing: TimerTable.Timer?
  private var idling: TimerTable.Timer?
  /// The number of bytes given to the channel so far.
  private var given = 0
  /// How many of them the client had taken when it was last seen to make enough progress, and how many
  /// times it has not been since then.
  private var taken = (count: 0, looks: 0)

  /// The client whose share of the budget the requests take; `nil` if it has no share.
  var client: String?
  /// The number of bytes of requests that arrive or have no answer, without the content of files.
  private var arrived = 0
  /// How many of them are counted in the budget.
  private var counted = 0
  /// Whether the arriving request contains files.
  private var isUpload = false
  /// The number of bytes of the arriving body since the last check. What is only around them does not
  /// count: the extension of a chunk may go on for ever.
  var received = 0
  /// How many bytes are missing of the arriving body, if its length was declared; otherwise 0.
  var missing = 0

  /// Whether incoming bytes are discarded.
  var dropsInput = false
  private var hasDropped = false
  /// Whether the connection has become a stream, whose client must not send anything more.
  var isStream = false

  /// - Parameters:
  ///   - readTimeout: How long a request may take to arrive.
  ///   - writeTimeout: How long a client may take too little of what is written.
  ///   - idleTimeout: How long a connection may be idle.
  ///   - arrivals: Limits what requests take in memory.
  init(
    readTimeout: TimeAmount,
    writeTimeout: TimeAmount,
    idleTimeout: TimeAmount,
    arrivals: ArrivalBudget
  ) {
    self.arrivals = arrivals
    self.readTimeout = readTimeout
    self.writeTimeout = writeTimeout
    self.idleTimeout = idleTimeout
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    self.didReadRequest()
    self.didAnswer()
    self.timers.remove(&self.writing)
    self.timers.remove(&self.idling)
    self.context = nil
  }
}

// Reading.
extension ConnectionDeadlines {
  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard self.isStream == false else { return context.close(promise: nil) }
    var bytes = self.unwrapInboundIn(data)
    // Decoding does not say whether bytes are left after the end of a request. But if a request ends
    // before the last byte, that byte belongs to the next one.
    if bytes.readableBytes > max(1, self.missing),
      let start = bytes.readSlice(length: bytes.readableBytes - 1)
    {
      self.pass(start, context)
    }
    self.pass(bytes, context)
  }

  private func pass(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
    guard self.dropsInput == false else {
      self.hasDropped = true
      return
    }
    if self.reading == nil { self.awaitRequest(context) }
    guard self.isUpload || self.hasRoom(for: bytes.readableBytes) else {
      return context.fireUserInboundEventTriggered(
        RefusedRequest(status: .serviceUnavailable))
    }
    context.fireChannelRead(self.wrapInboundOut(bytes))
  }

  /// Counts bytes of a request. What is read of a file is written to a disk, and does not count.
  private func hasRoom(for bytes: Int) -> Bool {
    self.arrived += bytes
    let more = self.arrived - ArrivalBudget.free - self.counted
    guard more > 0 else { return true }
    guard self.arrivals.add(more, for: self.client) else { return false }
    self.counted += more
    return true
  }

  /// All requests have been answered, or will not be.
  func didAnswer() {
    if self.counted > 0 { self.arrivals.remove(self.counted, for: self.client) }
    (self.arrived, self.counted) = (0, 0)
  }

  /// The arriving request contains files.
  func didBeginUpload() {
    self.isUpload = true
    self.restart()
  }

  /// Gives the request that has begun to arrive the whole read timeout from now on.
  func restart() {
    guard let context = self.context, self.reading != nil else { return }
    self.timers.remove(&self.reading)
    self.awaitRequest(context)
  }

  private func awaitRequest(_ context: ChannelHandlerContext) {
    self.timers.remove(&self.idling)
    self.received = 0
    self.reading = self.timers.add(after: self.readTimeout, on: context.eventLoop) {
      let seconds = max(1, Int(self.readTimeout.nanoseconds / 1_000_000_000))
      if self.isUpload, self.received >= Self.leastUploadRate * seconds {
        self.awaitRequest(context)
      } else {
        context.fireUserInboundEventTriggered(LateRequest())
      }
    }
  }

  func didReadRequest() {
    self.timers.remove(&self.reading)
    self.missing = 0
    self.isUpload = false
  }

  /// Whether bytes have been discarded since the last call.
  func takeDropped() -> Bool {
    defer { self.hasDropped = false }
    return self.hasDropped
  }

  /// Reads once more, even if nobody else does: whatever comes closes a stream.
  func watchStream() {
    self.context?.read()
  }

  /// Reads and discards all that the client still sends. Nobody else reads it.
  func discardInput() {
    self.didReadRequest()
    self.didAnswer()
    self.dropsInput = true
    self.context?.read()
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    context.fireChannelReadComplete()
    if self.dropsInput { context.read() }
  }

  /// Sends a response. It is the last one, and the caller closes the output.
  func refuse(_ status: HTTPResponse.Status, _ fields: HTTPFields, _ body: [UInt8]) {
    guard let context = self.context else { return }
    var head = "HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\nConnection: close\r\n"
    head += "Content-Length: \(body.count)\r\n"
    for field in fields { head += "\(field.name): \(field.value)\r\n" }
    var response = ByteBuffer(string: head + "\r\n")
    response.writeBytes(body)
    self.write(context: context, data: self.wrapOutboundOut(response), promise: nil)
    self.flush(context: context)
  }
}

// Idling.
extension ConnectionDeadlines {
  /// The connection is idle from now on, unless a request has begun to arrive.
  func didBecomeIdle() {
    guard let context = self.context, self.reading == nil else { return }
    self.timers.remove(&self.idling)
    self.idling = self.timers.add(after: self.idleTimeout, on: context.eventLoop) {
      self.idling = nil
      // A client that still reads is not idle. If it stops, the write timeout applies.
      self.hasUnsentBytes ? self.didBecomeIdle() : context.close(promise: nil)
    }
  }
}

/// An event: the newest request has not arrived in time.
struct LateRequest {}

/// An event: the newest request is rejected.
struct RefusedRequest {
  let status: HTTPResponse.Status
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
    self.taken = (self.given - self.waiting(context), 0)
    self.lookLater(context)
  }

  /// Shortens the write timeout from now on.
  func shorten(to writeTimeout: TimeAmount) {
    guard let context = self.context, writeTimeout < self.writeTimeout else { return }
    self.writeTimeout = writeTimeout
    guard self.writing != nil else { return }
    self.timers.remove(&self.writing)
    self.taken.looks = 0
    self.lookLater(context)
  }

  private func lookLater(_ context: ChannelHandlerContext) {
    let interval = TimeAmount.nanoseconds(self.writeTimeout.nanoseconds / Int64(Self.looks))
    self.writing = self.timers.add(after: interval, on: context.eventLoop) { self.look(context) }
  }

  private func look(_ context: ChannelHandlerContext) {
    self.writing = nil
    let waiting = self.waiting(context)
    guard waiting > 0 else { return }
    let count = self.given - waiting
    let seconds = max(1, Int(self.writeTimeout.nanoseconds / 1_000_000_000))
    if count - self.taken.count >= Self.leastRate * seconds {
      self.taken = (count, 0)
    } else {
      self.taken.looks += 1
      if self.taken.looks >= Self.looks { return context.close(promise: nil) }
    }
    self.lookLater(context)
  }

  /// Whether bytes wait to be sent.
  var hasUnsentBytes: Bool {
    self.context.map { self.waiting($0) > 0 } ?? false
  }

  /// The number of bytes that wait to be sent.
  private func waiting(_ context: ChannelHandlerContext) -> Int {
    (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
  }
}
