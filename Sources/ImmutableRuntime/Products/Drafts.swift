import ImmutableUI

/// The input of a product's submissions whose effect has not succeeded, so that a page can show it
/// again.
///
/// It keeps the newest drafts, up to 8 MB in all, 2 MB for each client and 1 MB for each session,
/// measured in memory.
struct Drafts {
  private struct Draft {
    let name: String
    let session: Identifier
    let fields: FormFields
    let bytes: Int
  }

  private struct Share {
    /// Oldest first.
    var names: [String] = []
    var bytes = 0
  }

  private static let sessionLimit = 1 << 20
  /// The bytes of a draft besides its fields: its name and its entries in three collections.
  private static let overhead = 256

  private var drafts = Cache<String, Draft>(limit: 8 << 20, isShared: true)
  /// The sessions that have drafts, and so bounded by the drafts.
  private var shares: [Identifier: Share] = [:]

  var bytes: Int { self.drafts.bytes }
  var count: Int { self.drafts.count }

  /// A session's submission, for a page to show again. The page supplies the message.
  subscript(name: String, of session: Identifier?) -> RefusedSubmission? {
    guard let draft = self.drafts[name], draft.session == session,
      let form = draft.fields[FormField.form]
    else { return nil }
    return RefusedSubmission(form: form, fields: draft.fields, refusal: Refusal(.failure, ""))
  }

  /// - Parameter client: The network of the client that posted it.
  /// - Complexity: O(n), n fields, and O(d) for the session's d drafts if one has to be evicted.
  mutating func keep(
    _ fields: FormFields,
    of name: String,
    _ session: Identifier,
    _ client: String
  ) {
    self.remove(name)
    let bytes = fields.heapSize + Self.overhead
    guard bytes <= Self.sessionLimit else { return }
    while let share = self.shares[session], share.bytes + bytes > Self.sessionLimit {
      self.remove(share.names[0])
    }
    self.shares[session, default: Share()].names.append(name)
    self.shares[session, default: Share()].bytes += bytes
    let draft = Draft(name: name, session: session, fields: fields, bytes: bytes)
    for gone in self.drafts.insert(draft, for: name, bytes: bytes, of: client) {
      self.didRemove(gone)
    }
  }

  mutating func remove(_ name: String) {
    if let draft = self.drafts.removeValue(for: name) {
      self.didRemove(draft)
    }
  }

  private mutating func didRemove(_ draft: Draft) {
    guard var share = self.shares.removeValue(forKey: draft.session) else { return }
    // It is usually the first name.
    if let index = share.names.firstIndex(of: draft.name) { share.names.remove(at: index) }
    share.bytes -= draft.bytes
    if share.names.isEmpty == false { self.shares[draft.session] = share }
  }
}
