public import ImmutableData

/// Declares that a property of local state refers to something in the state: a selection, the
/// subject of a sheet, a part of a list. When that is deleted, the library resets the property.
///
/// ```swift
/// static let references: [Reference<Self>] = [
///   .selection(
///     ["animals": \.animalId],
///     of: AnimalsState.selectAnimal(animalId:),
///     once: { AnimalsState.selectAnimalsStatus()($0) == .success }
///   )
/// ]
/// ```
///
/// If a URL's query refers to something that does not exist, the page answers 303 without it; if
/// its path does, the page answers 404. A push replaces the URL of an open window.
public struct Reference<Content: Root>: Sendable {
  public typealias Local = Content.Local
  public typealias State = Content.State

  /// Normalizes the local state for a state; the second is the one that windows have shown before
  /// it, if any.
  let normalize: @Sendable (inout Local, State, State?) -> Void
  private(set) var overlay: @Sendable (Local) -> Overlay = { _ in Overlay() }
  private(set) var status: @Sendable (Local, State) -> OperationStatus? = { _, _ in nil }

  /// Any other normalization that depends on the state. The other references here cover the usual
  /// cases.
  ///
  /// - Parameter normalize: Normalizes the local state. It must be pure, and O(1) or O(log n),
  ///   because it runs for every place and version.
  public init(_ normalize: @escaping @Sendable (inout Local, State) -> Void) {
    self.init(after: { local, state, _ in normalize(&local, state) })
  }

  private init(after normalize: @escaping @Sendable (inout Local, State, State?) -> Void) {
    self.normalize = normalize
  }

  /// A selection. Its rows get `aria-current`. Without JavaScript the page reloads itself while an
  /// operation on it is in progress. When it is deleted, nothing is selected.
  ///
  /// - Parameters:
  ///   - properties: The property for each list that shows it. All of them are set to the first id
  ///     that exists.
  ///   - select: Selects the element with an id.
  ///   - status: Selects the status of an operation on it.
  ///   - isKnown: Whether everything has been fetched. Until then, something that is missing may
  ///     still arrive. By default it is known once each of the page's `fetches` has succeeded or has
  ///     fetched something. What a window has shown and is gone is known to be deleted, also after a
  ///     fetch has failed.
  ///   - isKept: Whether a window keeps the selection anyway.
  public static func selection<ID: Hashable & Sendable, Value>(
    _ properties: KeyValuePairs<String, any WritableKeyPath<Local, ID?> & Sendable>,
    of select: @escaping @Sendable (ID?) -> @Sendable (State) -> Value?,
    status: @escaping @Sendable (ID?) -> @Sendable (State) -> OperationStatus? = { _ in { _ in nil }
    },
    once isKnown: (@Sendable (State) -> Bool)? = nil,
    unless isKept: @escaping @Sendable (Local) -> Bool = { _ in false }
  ) -> Self {
    let properties = Array(properties)
    var reference = Self(after: { local, state, old in
      let ids = properties.compactMap { local[keyPath: $0.value] }
      // Mostly nothing is selected, and every place is asked in every frame that concerns it.
      guard ids.isEmpty == false else { return }
      let wasThere: () -> Bool = {
        old.map { old in ids.contains { select($0)(old) != nil } } ?? false
      }
      guard isKnown?(state) ?? Self.isKnown(local, state, or: wasThere()), isKept(local) == false
      else { return }
      let id = ids.first { select($0)(state) != nil }
      for (_, property) in properties { local[keyPath: property] = id }
    })
    reference.overlay = { local in
      properties.reduce(into: Overlay()) { overlay, property in
        guard let id = local[keyPath: property.value] else { return }
        overlay[property.key, default: [:]]["\(id)"] = ["aria-current": "true"]
      }
    }
    reference.status = { local, state in
      properties.first.flatMap { status(local[keyPath: $0.value])(state) }
    }
    return reference
  }

  /// The selection of a page that shows one thing, at a path such as `/items/:item`. When it is
  /// deleted, nothing is selected.
  ///
  /// ```swift
  /// .selection(\.item) { id, state in state.items.contains { $0.id == id } }
  /// ```
  ///
  /// - Parameters:
  ///   - property: What is selected.
  ///   - isThere: Whether it exists. It is asked once each of the page's `fetches` has succeeded or
  ///     has fetched something.
  public static func selection<ID>(
    _ property: any WritableKeyPath<Local, ID?> & Sendable,
    while isThere: @escaping @Sendable (ID, State) -> Bool
  ) -> Self {
    Self(after: { local, state, old in
      guard let id = local[keyPath: property], isThere(id, state) == false else { return }
      if Self.isKnown(local, state, or: old.map { isThere(id, $0) } ?? false) {
        local[keyPath: property] = nil
      }
    })
  }

  /// Something that is presented, such as a sheet. It closes once its subject is gone.
  ///
  /// - Parameters:
  ///   - property: What is presented.
  ///   - isThere: Whether its subject exists, or may still arrive.
  public static func presented<Value>(
    _ property: any WritableKeyPath<Local, Presented<Value>> & Sendable,
    while isThere: @escaping @Sendable (Value, State) -> Bool
  ) -> Self {
    Self { local, state in
      guard let value = local[keyPath: property].value, isThere(value, state) == false else {
        return
      }
      local[keyPath: property].value = nil
    }
  }

  /// A change of local state in the window that posted a form, made once the form has succeeded:
  /// for example, selecting what was added. Other windows do not change.
  ///
  /// ```swift
  /// .success(of: \.sheet) { local, submission, state in
  ///   local.noteId = NotesState.selectNote(addedWhere: submission.hasToken)(state)?.id
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - property: The presented property that has closed itself.
  ///   - change: Changes the local state. Pure; it runs once.
  public static func success<Value>(
    of property: any WritableKeyPath<Local, Presented<Value>> & Sendable,
    _ change: @escaping @Sendable (inout Local, Submission, State) -> Void
  ) -> Self {
    Self { local, state in
      guard let submission = local[keyPath: property].success else { return }
      change(&local, submission, state)
    }
  }

  /// The part of a list that is shown. It is the first part if the URL names a row that does not
  /// exist and whose index is unknown.
  ///
  /// - Parameters:
  ///   - property: The start of the part; `nil` for the first part.
  ///   - select: Selects a row.
  ///   - isRead: Whether all rows have been read. Until then, a missing row may still arrive. The
  ///     default is that of a selection.
  public static func part<ID, Row>(
    _ property: any WritableKeyPath<Local, ListPart.Start<ID>?> & Sendable,
    of select: @escaping @Sendable (ID?) -> @Sendable (State) -> Row?,
    once isRead: (@Sendable (State) -> Bool)? = nil
  ) -> Self {
    Self { local, state in
      guard let start = local[keyPath: property], start.index == 0,
        isRead?(state) ?? Self.isKnown(local, state), select(start.id)(state) == nil
      else { return }
      local[keyPath: property] = nil
    }
  }

  /// Whether something that is missing will not arrive with what the page fetches.
  ///
  /// - Parameter wasThere: Whether it was there before, so that a fetch that has failed does not
  ///   matter. It is asked only then.
  private static func isKnown(
    _ local: Local,
    _ state: State,
    or wasThere: @autoclosure () -> Bool = false
  ) -> Bool {
    Content.fetches.allSatisfy { fetch in
      let status = fetch.status(state)
      return fetch.isShown(local) == false || status == .success || fetch.isEmpty(state) == false
        || status?.error != nil && wasThere()
    }
  }
}

/// Attributes that a window adds to rows of lists, by the list, the row's key, and their name. They
/// lie over a shared render and are no part of it.
package typealias Overlay = [String: [String: [String: String]]]
