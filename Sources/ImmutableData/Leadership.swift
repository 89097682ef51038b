/// Whether this process is the one of several that does what one has to do.
struct Leadership {
  private var isLeading = true
  /// Of those who are told. Bounded by the outside events of listeners.
  private var readers: [AsyncStream<Bool>.Continuation] = []

  mutating func set(_ isLeading: Bool) {
    guard self.isLeading != isLeading else { return }
    self.isLeading = isLeading
    self.readers.removeAll { reader in
      if case .terminated = reader.yield(isLeading) { true } else { false }
    }
  }

  /// Whether it leads, now and whenever that changes. What nobody has taken is replaced by what is newer.
  mutating func changes() -> AsyncStream<Bool> {
    let (stream, reader) = AsyncStream.makeStream(
      of: Bool.self, bufferingPolicy: .bufferingNewest(1))
    self.readers.append(reader)
    reader.yield(self.isLeading)
    return stream
  }
}
