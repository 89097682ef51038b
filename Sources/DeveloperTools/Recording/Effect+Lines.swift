public import ImmutableData
import ImmutableUI

extension Effect {
  /// The maximum number of values that are listed one by one.
  private static var limit: Int { 50 }

  /// Its name, and its values one by one, as lines that are the same in every process. Two effects
  /// with the same lines do the same.
  ///
  /// - Complexity: O(n), n values.
  public var lines: [String] {
    guard let values = self.values else { return [self.name] }
    var lines: [String] = []
    var digest = TagHasher()
    var furtherCount = 0
    Inspection.visitLeaves(of: values) { path, text in
      let line = "\(self.name) \(path.labels.isEmpty ? "" : "\(path): ")\(text)"
      if lines.count < Self.limit {
        lines.append(line)
      } else {
        digest.combine(line)
        furtherCount += 1
      }
    }
    if furtherCount > 0 {
      let text = digest.finalize().text
      lines.append("\(self.name) \(furtherCount) more values, with the digest \(text)")
    }
    return [self.name] + lines
  }
}

extension Inspection {
  /// Calls a closure with the text of each part that has no parts, in order.
  fileprivate static func visitLeaves(
    of value: Any,
    at path: Path = Path(),
    _ body: (Path, String) -> Void
  ) {
    let inspection = Inspection(value)
    guard inspection.count > 0 else {
      return body(path, inspection.isRows ? "none" : inspection.text)
    }
    // The case of an enum is the label of its only part.
    for part in inspection.allParts {
      self.visitLeaves(of: part.value, at: path.appending(part.label), body)
    }
  }
}
