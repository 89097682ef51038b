/// Why an upload cannot be shown as a picture.
public enum UnusablePicture: Error, Hashable, Sendable {
  /// It is something else, or broken.
  case unknown
  case tooManyPixels
  /// It is damaged, or would exceed the limits of time or memory.
  case undecodable
}
