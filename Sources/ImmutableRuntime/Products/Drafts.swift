import ImmutableUI

/// The input of submissions whose effect has not succeeded, so that a page can show it again: those of a product.
///
/// It keeps the newest, up to 8 MB in all and 1 MB a session, by what memory holds.
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
  /// What a draft takes besides its fields: its name and its places in three collections.
  private static let overhead = 256

  private var drafts = Cache<String, Draft>(limit: 8 << 20)
  /// Of sessions that have drafts: bounded by those.
  private var shares: [Identifier: Share] = [:]

  var bytes: Int { self.drafts.bytes }
  var count: Int { self.drafts.count }

  /// A submission as a page of its session shows it again. Its message is the page's own.
  subscript(name: String, of session: Identifier?) -> RefusedSubmission? {
    guard let draft = self.drafts[name], draft.session == session,
      let form = draft.fields[FormField.form]
    else { return nil }
    return RefusedSubmission(form: form, fields: draft.fields, refusal: Refusal(.failure, ""))
  }

  /// - Complexity: O(n), n fields, and O(d) for the d drafts of the session when one has to go.
  mutating func keep(_ fields: FormFields, of name: String, _ session: Identifier) {
    self.remove(name)
    let bytes = fields.heapSize + Self.overhead
    guard bytes <= Self.sessionLimit else { return }
    while let share = self.shares[session], share.bytes + bytes > Self.sessionLimit {
      self.remove(share.names[0])
    }
    self.shares[session, default: Share()].names.append(name)
    self.shares[session, default: Share()].bytes += bytes
    let draft = Draft(name: name, session: session, fields: fields, bytes: bytes)
    for gone in self.drafts.insert(draft, for: name, bytes: bytes) {
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
    // Mostly the oldest.
    if let index = share.names.firstIndex(of: draft.name) { share.names.remove(at: index) }
    share.bytes -= draft.bytes
    if share.names.isEmpty == false { self.shares[draft.session] = share }
  }
}
