/// The input of submissions whose effect has not succeeded, so that a page can show it again.
///
/// It keeps the newest, up to 8 MB in all and 1 MB a session.
struct Drafts {
  private struct Draft {
    let session: Identifier
    let fields: FormFields
    let size: Int
  }

  private static let limit = 8 * 1_024 * 1_024
  private static let sessionLimit = 1_024 * 1_024

  private var drafts: [String: Draft] = [:]
  /// Oldest first.
  private var order: [String] = []

  /// A submission as a page of its session shows it again. Its message is the page's own.
  subscript(name: String, of session: Identifier?) -> RefusedSubmission? {
    guard let draft = self.drafts[name], draft.session == session,
      let form = draft.fields[FormField.form]
    else { return nil }
    return RefusedSubmission(form: form, fields: draft.fields, refusal: Refusal(.failure, ""))
  }

  mutating func keep(_ fields: FormFields, of name: String, _ session: Identifier) {
    let size = fields.query.items.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
    self.remove([name])
    self.drafts[name] = Draft(session: session, fields: fields, size: size)
    self.order.append(name)
    self.trim(to: Self.sessionLimit) { $0.session == session }
    self.trim(to: Self.limit) { _ in true }
  }

  mutating func remove(_ names: [String]) {
    let names = names.filter { self.drafts.removeValue(forKey: $0) != nil }
    if names.isEmpty == false {
      self.order.removeAll { names.contains($0) }
    }
  }

  private mutating func trim(to limit: Int, _ isCounted: (Draft) -> Bool) {
    let counted = self.order.filter { self.drafts[$0].map(isCounted) == true }
    var size = counted.reduce(0) { $0 + (self.drafts[$1]?.size ?? 0) }
    var oldest = counted[...]
    while size > limit, let name = oldest.popFirst() {
      size -= self.drafts[name]?.size ?? 0
      self.remove([name])
    }
  }
}
