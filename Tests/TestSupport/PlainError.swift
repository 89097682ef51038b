/// An error with nothing but its identity.
public final class PlainError: Error {
  public init() {}
}
