import NIOCore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Why a server cannot listen at its address, as a sentence that says what to do.
package struct ListeningFailure {
  package let sentence: String
  /// Whether another program listens there.
  package let isInUse: Bool

  /// - Parameter error: An error before the server listens; see ``Listening``.
  /// - Returns: `nil` for an error that is not about the address.
  package init?(_ error: any Error, host: String, port: Int) {
    let code = (error as? IOError)?.errnoCode
    self.isInUse = code == EADDRINUSE
    switch code {
    case EADDRINUSE:
      self.sentence = "\(host):\(port) is in use. Stop that program, or choose another port."
    case EACCES where port < 1_024, EPERM where port < 1_024:
      self.sentence =
        "The port \(port) needs more rights. Choose one from 1024 on, and put a proxy in front."
    case EACCES, EPERM:
      self.sentence =
        "This program may not listen at \(host):\(port). Allow it, or choose another address."
    case EADDRNOTAVAIL, EAFNOSUPPORT:
      self.sentence =
        "\(host) is not an address of this machine. Choose one that is, for example 127.0.0.1."
    default:
      guard error is SocketAddressError || error is SocketAddressError.UnknownHost else {
        return nil
      }
      self.sentence =
        "\(host) cannot be found. Choose an address of this machine, for example 127.0.0.1."
    }
  }
}
