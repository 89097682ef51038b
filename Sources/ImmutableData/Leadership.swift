/// Whether this process leads, which means that it does the work that only one process may do.
struct Leadership {
  private var isLeading = true
  /// The observers. Bounded by the outside events of listeners.
  private var readers: [AsyncStream<Bool>.Continuation] = []

  mutating func set(_ isLeading: Bool) {
    guard self.isLeading != isLeading else { return }
    self.isLeading = isLeading
    self.readers.removeAll { reader in
      if case .terminated = reader.yield(isLeading) { true } else { false }
    }
  }

  /// Whether it leads, now and after each change. A value that has not been read is replaced by a
  /// newer one.
  mutating func changes() -> AsyncStream<Bool> {
    let (stream, reader) = AsyncStream.makeStream(
      of: Bool.self, bufferingPolicy: .bufferingNewest(1))
    self.readers.append(reader)
    reader.yield(self.isLeading)
    return stream
  }
}
