public import ImmutableRuntime
public import Logging

/// Logs what windows are sent: each changed region of a page, with its component and size.
public enum RenderLogger {
  /// Starts to log at level debug. Call it before the first window joins.
  ///
  /// - Parameters:
  ///   - windows: The windows. Developer pages are left out.
  ///   - logger: Receives the messages. URLs contain what users search for.
  public static func start(_ windows: WindowGroup, _ logger: Logger) {
    windows.recordPages(except: DeveloperState.name) { page in
      for (name, region) in page.regions.sorted(by: { $0.key < $1.key }) {
        guard let region else { continue }
        logger.debug(
          "render",
          metadata: [
            "version": "\(page.version)", "url": "\(page.url)", "region": "\(name)",
            "component": "\(region.component)", "bytes": "\(region.bytes)",
          ])
      }
    }
  }
}
