import ImmutableData
import ImmutableRuntime
import ImmutableUI

extension DeveloperState {
  /// The entries of a product, newest first; `nil` for all products.
  func entries(of product: String?) -> some Sequence<Entry> {
    (self.oldest...max(self.oldest, self.newest)).lazy.reversed().compactMap { self.entries[$0] }
      .filter { product == nil || $0.product == product }
  }

  /// The products, by name.
  var products: [String] { self.presents.keys.sorted() }

  static func selectEntry(_ id: Int?) -> @Sendable (Self) -> Entry? {
    { state in id.flatMap { state.entries[$0] } }
  }

  /// The page that an action came from: with the window's local state if the post is
  /// logged, otherwise without parameters.
  func page(of id: Int?) -> EntryPage? {
    guard let id, let entry = self.entries[id] else { return nil }
    switch entry.dispatch.origin {
    case .form(let name, let path, let window)?:
      let post = self.visits.all.last { item in
        item.visit.isPost(of: name, in: window, ledTo: entry)
      }
      guard let visit = post?.visit else { return EntryPage(of: id, at: path) }
      return EntryPage(entry: id, url: visit.url, seen: PageTime(visit.environment))
    case .page(let path)?: return EntryPage(of: id, at: path)
    case .effect?, .outside?, .elsewhere?, nil: return nil
    }
  }

  struct EntryPage: Hashable, Sendable {
    /// The number of the entry.
    let entry: Int
    let url: String
    /// How the window showed it; `nil` if that is not known.
    let seen: PageTime?
  }

  /// The entries of a page's product before and after an entry, oldest first.
  ///
  /// - Parameter id: The number of the entry; `nil` for the newest.
  func history(ofPage url: String, around id: Int?, limit: Int) -> History {
    guard let product = self.program.productOfPage(url) else {
      return History(product: nil, entries: [], marks: [], isRecorded: true, present: nil)
    }
    return self.history(of: product, around: id, limit: limit)
  }

  /// The same for a product.
  func history(of product: String, around id: Int?, limit: Int) -> History {
    let entries = Array(self.entries(of: product))
    let later = id.map { id in entries.prefix { $0.id > id }.suffix(limit / 2) } ?? []
    let earlier = entries.drop { entry in id.map { entry.id > $0 } ?? false }
      .prefix(limit - later.count)
    return History(
      product: product,
      entries: (later + earlier).reversed(),
      marks: Self.marks(entries.reversed().map(\.id)),
      isRecorded: id.map { self.isRecorded($0, of: product) } ?? true,
      present: id == nil ? self.unrecordedPresent(of: product) : nil
    )
  }

  /// At most this many numbers and the newest, evenly: the first in each of so many equal steps. The steps
  /// stay where they are when entries come and go.
  private static func marks(_ ids: [Int], limit: Int = 100) -> [Int] {
    guard let first = ids.first, let last = ids.last else { return [] }
    let step = (last - first) / limit + 1
    let firsts = zip(ids, ids.dropFirst()).filter { $0 / step != $1 / step }.map(\.1)
    return [first] + firsts.dropLast(firsts.last == last ? 1 : 0) + (last == first ? [] : [last])
  }

  struct History: Hashable, Sendable {
    /// `nil` if there is no such page.
    let product: String?
    /// Those around the chosen one.
    let entries: [Entry]
    /// The numbers of the oldest and the newest entry, and of some in between.
    let marks: [Int]
    /// Whether the chosen entry is still recorded.
    let isRecorded: Bool
    /// The present version, if it is shown but did not come from the newest entry; otherwise `nil`.
    let present: UInt64?
  }

  /// The present version of a product, if no entry led to it; otherwise `nil`.
  func unrecordedPresent(of product: String) -> UInt64? {
    let newest = self.entries(of: product).first { _ in true }
    guard let present = self.presents[product], present.version != newest?.dispatch.version else {
      return nil
    }
    return present.version
  }

  var counts: Counts {
    Counts(
      entries: self.entries.count, bytes: self.bytes, isPaused: self.isPaused, loaded: self.loaded)
  }

  struct Counts: Hashable, Sendable {
    let entries: Int
    let bytes: Int
    let isPaused: Bool
    /// The recording that they come from; `nil` for a running program.
    let loaded: LoadedRecording?
  }

  /// The newest entry of a page's product up to an entry; `nil` for up to now.
  static func selectEntry(of url: String, upTo id: Int?) -> @Sendable (Self) -> Entry? {
    { state in
      state.program.productOfPage(url).flatMap { product in
        state.entries(of: product).first { entry in id.map { entry.id <= $0 } ?? true }
      }
    }
  }

  /// The newest entry of a page's product up to an entry, and the present version if that is shown
  /// and not recorded. A page's content changes only if one of them does.
  static func selectMoment(of url: String, upTo id: Int?) -> @Sendable (Self) -> Moment {
    { state in
      let product = state.program.productOfPage(url)
      let isRecorded = id.flatMap { id in product.map { state.isRecorded(id, of: $0) } }
      return Moment(
        entry: Self.selectEntry(of: url, upTo: id)(state),
        isRecorded: isRecorded ?? true,
        present: id == nil ? product.flatMap(state.unrecordedPresent) : nil
      )
    }
  }

  struct Moment: Hashable, Sendable {
    let entry: Entry?
    let isRecorded: Bool
    let present: UInt64?
  }

  /// The effect of the newest action up to an entry on a page.
  func causes(of url: String, upTo id: Int?, in environment: PageTime) -> Causes? {
    Self.selectEntry(of: url, upTo: id)(self).map { entry in
      let regions = self.program.causes(url, entry, environment.environment(at: entry.time))
      return Causes(entry: entry, regions: regions ?? [])
    }
  }

  struct Causes: Hashable, Sendable {
    let entry: Entry
    let regions: [RegionCause]
  }

  /// A product's state after an entry; its present state for `nil`.
  ///
  /// - Returns: `nil` if there is no such product, or the entry is not recorded.
  /// - Complexity: O(n), n entries.
  func state(of product: String, after id: Int?) -> (any Sendable)? {
    guard let id else { return self.presents[product]?.state }
    guard self.isRecorded(id, of: product) else { return nil }
    return self.entries(of: product).first { $0.id <= id }?.state ?? self.oldestStates[product]
  }
}

extension DeveloperState.EntryPage {
  /// - Parameter path: The declared path.
  fileprivate init?(of entry: Int, at path: String) {
    guard let url = PagePath(path).withoutParameters else { return nil }
    self.init(entry: entry, url: url, seen: nil)
  }
}

extension LoggedVisit {
  /// Whether it is the post of a form that led to an action, accepted or refused.
  fileprivate func isPost(of form: String, in window: String?, ledTo entry: Entry) -> Bool {
    guard case .posts(let posted, let refusal) = self.event, posted == form else { return false }
    return self.product == entry.product && self.version == entry.dispatch.version
      && (refusal == nil) == (entry.refusal == nil) && self.window == window
  }
}
