/// A type whose equality leaves out some of its parts. The digest of a state leaves them out, too, so
/// that equal states have equal digests.
package protocol ComparedInPart: Equatable {
  /// The names of the properties that are left out.
  static var uncomparedParts: Set<String> { get }
}
