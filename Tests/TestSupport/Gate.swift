import Synchronization

/// Holds whoever waits until it is opened; open, it holds nobody.
public final class Gate: Sendable {
  private struct Contents {
    var isOpen = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let contents = Mutex(Contents())

  public init() {}

  public func wait() async {
    await withCheckedContinuation { continuation in
      let isOpen = self.contents.withLock { contents in
        if contents.isOpen == false { contents.waiting.append(continuation) }
        return contents.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }

  public func open() {
    let waiting = self.contents.withLock { contents in
      defer { contents.waiting = [] }
      contents.isOpen = true
      return contents.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}
