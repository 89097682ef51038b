/// The error of an action of a visitor that is refused because the store shows a past state
/// (``Store/show(_:)``). Nothing has changed.
package struct PastStateError: Error {
  package init() {}
}
