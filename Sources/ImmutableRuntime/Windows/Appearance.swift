/// The appearance of a page, which overrides the settings of the browser.
public enum Appearance: String, CaseIterable, Sendable {
  /// The browser's settings.
  case bare
  case light
  case dark
  case largeText = "large-text"
  case forcedColors = "forced-colors"
  case rightToLeft = "right-to-left"
}
