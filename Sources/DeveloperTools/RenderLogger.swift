public import ImmutableRuntime
import ImmutableUI
public import Logging

/// Logs what windows are sent: each changed region of a page, with its component, its size, and the
/// selectors whose new outputs led to it.
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
        var metadata: Logger.Metadata = [
          "version": "\(page.version)", "url": "\(page.url)", "region": "\(name)",
          "component": "\(region.component)", "bytes": "\(region.rendered.size)",
        ]
        if region.selectors.isEmpty == false {
          metadata["selectors"] = "\(region.selectors.joined(separator: "; "))"
        }
        logger.debug("render", metadata: metadata)
      }
    }
  }
}
