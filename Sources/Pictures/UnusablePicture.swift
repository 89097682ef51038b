/// Why an upload is no picture that is shown.
public enum UnusablePicture: Error, Hashable, Sendable {
  /// It is something else, or broken.
  case unknown
  case tooManyPixels
  /// It is damaged, or would take more time or memory than it may.
  case undecodable
}
