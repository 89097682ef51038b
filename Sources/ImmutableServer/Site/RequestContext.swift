import Hummingbird
import Logging
import NIOCore

/// The context of a request, with its channel, which a stream takes over.
struct SiteRequestContext: RequestContext {
  typealias Source = ApplicationRequestContextSource

  var coreContext: CoreRequestContextStorage
  let channel: any Channel

  init(source: Source) {
    self.coreContext = CoreRequestContextStorage(source: source)
    self.channel = source.channel
  }
}
