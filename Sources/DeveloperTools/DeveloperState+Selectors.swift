import ImmutableData
import ImmutableRuntime

extension DeveloperState {
  /// The entries of a product, the newest first; `nil`: of all.
  func entries(of product: String?) -> some Sequence<Entry> {
    (self.oldest...max(self.oldest, self.newest)).lazy.reversed().compactMap { self.entries[$0] }
      .filter { product == nil || $0.product == product }
  }

  /// The products, by name.
  static func selectProducts() -> @Sendable (Self) -> [String] {
    { $0.initialStates.keys.sorted() }
  }

  /// The newest entries that have all words of a search, the newest first.
  static func selectEntries(
    search: String,
    product: String?,
    limit: Int
  ) -> @Sendable (Self) -> [Entry] {
    let words = search.lowercased().split(separator: " ")
    return { state in
      Array(
        state.entries(of: product).lazy.filter { entry in
          words.allSatisfy { entry.searchText.contains($0) }
        }.prefix(limit))
    }
  }

  static func selectEntry(_ id: Int?) -> @Sendable (Self) -> Entry? {
    { state in id.flatMap { state.entries[$0] } }
  }

  /// The entries of a page's product before and after one, the oldest first.
  ///
  /// - Parameter id: The number of the entry; `nil`: the newest.
  static func selectHistory(
    of url: String,
    around id: Int?,
    limit: Int
  ) -> @Sendable (Self) -> History {
    { state in
      guard let product = state.productOfPage(url) else {
        return History(product: nil, entries: [])
      }
      let entries = Array(state.entries(of: product))
      let later = id.map { id in entries.prefix { $0.id > id }.suffix(limit / 2) } ?? []
      let earlier = entries.drop { entry in id.map { entry.id > $0 } ?? false }
        .prefix(limit - later.count)
      return History(product: product, entries: (later + earlier).reversed())
    }
  }

  struct History: Hashable, Sendable {
    /// `nil`: there is no such page.
    let product: String?
    let entries: [Entry]
  }

  static func selectCounts() -> @Sendable (Self) -> Counts {
    { Counts(entries: $0.entries.count, bytes: $0.bytes, isPaused: $0.isPaused) }
  }

  static func selectWindows() -> @Sendable (Self) -> [ShownWindow] {
    { $0.windows }
  }

  struct Counts: Hashable, Sendable {
    let entries: Int
    let bytes: Int
    let isPaused: Bool
  }

  /// The newest entry of a page's product up to one; `nil`: up to now.
  static func selectEntry(of url: String, upTo id: Int?) -> @Sendable (Self) -> Entry? {
    { state in
      state.productOfPage(url).flatMap { product in
        state.entries(of: product).first { entry in id.map { entry.id <= $0 } ?? true }
      }
    }
  }

  /// What the newest action up to an entry did to a page.
  static func selectCauses(of url: String, upTo id: Int?) -> @Sendable (Self) -> Causes? {
    { state in
      Self.selectEntry(of: url, upTo: id)(state).map { entry in
        Causes(entry: entry, regions: state.causes(url, entry) ?? [])
      }
    }
  }

  struct Causes: Hashable, Sendable {
    let entry: Entry
    let regions: [RegionCause]
  }

  /// A product's state after an entry; the newest for `nil`, the oldest that is known for 0.
  func state(of product: String, after id: Int?) -> (any Sendable)? {
    let entries = self.entries(of: product)
    guard let id else { return entries.first { _ in true }?.state ?? self.initialStates[product] }
    if let entry = entries.first(where: { $0.id <= id }) { return entry.state }
    return Array(entries).last?.oldState ?? self.initialStates[product]
  }
}

extension Entry {
  fileprivate var searchText: String {
    let origin = self.dispatch.origin
    let words = [self.product, self.name, self.payload, origin?.text ?? ""]
    var text = words.joined(separator: " ")
    if let window = origin?.window { text += " \(window)" }
    if let refusal { text += " refused \(refusal)" }
    return text.lowercased()
  }
}
