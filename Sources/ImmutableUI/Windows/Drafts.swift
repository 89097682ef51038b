/// The input of submissions whose effect has not succeeded, so that a page can show it again.
///
/// It keeps the newest, up to 8 MB.
struct Drafts {
  private struct Key: Hashable {
    let session: Identifier
    let submission: String
  }

  private static let limit = 8 * 1_024 * 1_024

  private var fields: [Key: FormFields] = [:]
  private var order: [Key] = []
  private var size = 0

  /// A submission as a page shows it again. Its message is the page's own.
  subscript(submission: String, of session: Identifier?) -> RefusedSubmission? {
    guard let session, let fields = self.fields[Key(session: session, submission: submission)],
      let form = fields[FormField.form]
    else { return nil }
    return RefusedSubmission(form: form, fields: fields, refusal: Refusal(.failure, ""))
  }

  /// - Parameter submission: As the page's local state names it (``Root/submission(_:)``).
  mutating func keep(_ fields: FormFields, as submission: String, of session: Identifier) {
    let key = Key(session: session, submission: submission)
    if let old = self.fields.updateValue(fields, forKey: key) {
      self.size -= old.size
    } else {
      self.order.append(key)
    }
    self.size += fields.size
    while self.size > Self.limit, self.order.isEmpty == false {
      let oldest = self.order.removeFirst()
      self.size -= self.fields.removeValue(forKey: oldest)?.size ?? 0
    }
  }
}

extension FormFields {
  fileprivate var size: Int {
    self.query.items.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
  }
}
