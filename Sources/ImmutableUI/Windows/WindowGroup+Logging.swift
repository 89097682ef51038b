import Logging

extension WindowGroup {
  /// Logs why an action was not reduced, unless that is a refusal: what a product says in its own words.
  ///
  /// - Parameters:
  ///   - error: What the form or the reducer threw.
  ///   - path: The page that the action came from.
  ///   - form: The form that it came from; `nil`: it happened as the page appeared.
  nonisolated func logUnlessRefusal(_ error: any Error, at path: String, form: String?) {
    guard error is any RefusalConvertible == false else { return }
    self.configuration.logger.error(
      "An action was refused for a reason that nobody expected",
      metadata: [
        "path": "\(path)", "form": "\(form ?? "none")", "error": "\(error)",
        "type": "\(type(of: error))",
      ]
    )
  }
}
