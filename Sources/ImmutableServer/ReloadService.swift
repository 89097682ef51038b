import Foundation
import ImmutableRuntime
import Logging
import ServiceLifecycle

/// Watches for edited templates and public files and shows them in open windows. For development.
struct ReloadService: Service {
  let site: Site

  func run() async throws {
    await cancelWhenGracefulShutdown {
      var state = self.stamp()
      while Task.isCancelled == false {
        try? await Task.sleep(for: .milliseconds(250))
        let new = self.stamp()
        guard new != state else { continue }
        state = new
        await self.reload()
      }
    }
  }

  private func reload() async {
    let logger = self.site.configuration.logger
    do {
      try self.site.files.reload()
      try self.site.document.reload()
    } catch {
      logger.error("reloading failed; the old document stays", metadata: ["error": "\(error)"])
    }
    if let error = await self.site.windows.reloadTemplates() {
      logger.error("a template does not compile", metadata: ["error": "\(error)"])
    } else {
      logger.info("templates reloaded")
    }
  }

  /// The names, sizes and modification times of all files.
  private func stamp() -> Set<String> {
    var stamp: Set<String> = []
    for directory in [
      self.site.configuration.templateDirectory, self.site.configuration.publicDirectory,
    ] {
      let keys: [URLResourceKey] = [.contentModificationDateKey, .fileSizeKey]
      let files = FileManager.default.enumerator(
        at: URL(fileURLWithPath: directory),
        includingPropertiesForKeys: keys
      )
      for case let url as URL in files ?? FileManager.DirectoryEnumerator() {
        let values = try? url.resourceValues(forKeys: Set(keys))
        let time = values?.contentModificationDate?.timeIntervalSinceReferenceDate ?? 0
        stamp.insert("\(url.path) \(time) \(values?.fileSize ?? 0)")
      }
    }
    return stamp
  }
}
