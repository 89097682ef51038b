/// How a page looks by itself, whatever the settings of the browser are.
public enum Appearance: String, CaseIterable, Sendable {
  /// As the browser's settings are.
  case bare
  case light
  case dark
  case largeText = "large-text"
  case forcedColors = "forced-colors"
  case rightToLeft = "right-to-left"
}
