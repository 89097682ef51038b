package import Hummingbird
package import NIOCore

/// The context of a request, with its channel: a stream takes it over, or must know when it is
/// closed.
package struct ChannelContext: RequestContext {
  package typealias Source = ApplicationRequestContextSource

  package var coreContext: CoreRequestContextStorage
  package let channel: any Channel

  package init(source: Source) {
    self.coreContext = CoreRequestContextStorage(source: source)
    self.channel = source.channel
  }
}
