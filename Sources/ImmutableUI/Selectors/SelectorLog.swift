public import Logging
import Synchronization

/// The guide's debug output of selectors, through swift-log at level debug.
///
/// It is off until ``enable(_:)`` is called (the Server's `--log-selectors`). A line reads `Update
/// Output: SelectAnimalsValues(categoryId: nil)`; the metadata `selector` distinguishes instances.
///
/// Source: the guide, chapter ImmutableUI, section Selector; chapter Animals.app shows its output.
public enum SelectorLog {
  private static let logger = Mutex<Logger?>(nil)

  /// Turns the output on (or off, with `nil`).
  public static func enable(_ logger: Logger?) {
    self.logger.withLock { $0 = logger }
  }

  static func update(_ label: String?, by selector: AnyObject) {
    self.log("Update", label, selector)
  }

  static func run(_ step: MemoStep, _ label: String?, by selector: AnyObject) {
    switch step {
    case .dependency: self.log("Update Dependency", label, selector)
    case .output: self.log("Update Output", label, selector)
    }
  }

  private static func log(_ event: String, _ label: String?, _ selector: AnyObject) {
    guard let label, let logger = self.logger.withLock({ $0 }) else { return }
    logger.debug(
      "\(event): \(label)",
      metadata: ["selector": "\(ObjectIdentifier(selector))"]
    )
  }
}
