/// Why a store has refused what a visitor does: it shows a state of the past (``Store/show(_:)``).
/// Nothing has changed.
package struct PastStateError: Error {
  package init() {}
}
