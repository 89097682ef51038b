package import HashTreeCollections
public import ImmutableData
import Pictures

/// The state that all windows share: the catalog, and the status of the operations on it.
///
/// Its structure is not part of the interface: components read it through selectors.
///
/// Source: the guide, chapter AnimalsData, section AnimalsState; chapter Performance for
/// `TreeDictionary`.
public struct AnimalsState: Hashable, Codable, Sendable {
  package var categories: Categories
  package var animals: Animals
  /// Beyond the guide: why pictures cannot be stored; `nil` if they can. It never changes.
  package var noPictures: String?
  /// Beyond the guide: the maximum number of animals; `nil`: ``defaultLimit``. It never changes, so
  /// that all servers that reduce the same actions refuse the same ones.
  private var limit: Int?
  /// Beyond the guide: whether everything is being replaced by the sample data; `nil` if not.
  package var isReloading: Bool?

  package init(
    categories: Categories,
    animals: Animals
  ) {
    self.categories = categories
    self.animals = animals
  }

  /// Nothing fetched yet.
  ///
  /// - Parameters:
  ///   - noPictures: Why pictures cannot be stored, as a sentence; `nil` if they can.
  ///   - limit: The maximum number of animals; see
  ///     ``AnimalsReducer/reduceOrRefuse(state:action:)``.
  public init(noPictures: String? = nil, limit: Int? = nil) {
    self.init(categories: Categories(), animals: Animals())
    self.noPictures = noPictures
    self.limit = limit
  }

  /// The default maximum number of animals.
  public static var defaultLimit: Int { 10_000 }

  /// The maximum number of animals.
  public var animalLimit: Int { self.limit ?? Self.defaultLimit }

  /// Whether the limit is reached, including the animals that are being added.
  ///
  /// - Complexity: O(1); near the limit O(q), q operations in progress.
  package var isFull: Bool {
    let (data, waiting) = (self.animals.data, self.animals.waiting)
    guard data.count + waiting.count >= self.animalLimit else { return false }
    let adding = waiting.lazy.filter { data[$0] == nil }.count
    return data.count + adding >= self.animalLimit
  }

  /// The hashes of the pictures that animals have; `nil` while the animals are unknown.
  ///
  /// - Complexity: O(n), n animals.
  public var pictureHashes: Set<String>? {
    guard self.animals.status == .success else { return nil }
    return Set(self.animals.data.values.compactMap { $0.picture?.hash })
  }

  /// The table of the animals, for selectors.
  public var animalsTable: Table<Animal> { self.animals.table }

  package struct Categories: Hashable, Codable, Sendable {
    package var data: TreeDictionary<Category.ID, Category> = [:]
    /// Of the newest fetch; `nil` before the first.
    package var status: Status? = nil

    package init(
      data: TreeDictionary<Category.ID, Category> = [:],
      status: Status? = nil
    ) {
      self.data = data
      self.status = status
    }

    /// With a dictionary, as the guide's listings have it.
    @_disfavoredOverload
    package init(data: [Category.ID: Category], status: Status? = nil) {
      self.init(data: TreeDictionary(data), status: status)
    }
  }

  package struct Animals: Hashable, Sendable {
    package var table: Table<Animal> {
      didSet {
        let difference = self.table.difference(from: oldValue)
        // As after a reload. To find the names of those that are gone would take longer.
        if difference.removed.count > self.table.count {
          self.names = AnimalsByName().with(self.table)
        } else {
          self.names.follow(difference)
        }
      }
    }
    private(set) var names: AnimalsByName
    /// Of the newest fetch; `nil` before the first.
    package var status: Status? = nil
    /// The status of the newest operation on each animal. A new animal has the id of its submission
    /// here until the store assigns an id.
    /// Setting all at once costs O(n), n operations; use ``setStatus(_:of:)``.
    package var queue: TreeDictionary<Animal.ID, Status> {
      get { self.statuses }
      set {
        self.statuses = newValue
        self.waiting = Self.waiting(in: newValue)
      }
    }
    private var statuses: TreeDictionary<Animal.ID, Status>
    /// The ids in ``queue`` whose operations are in progress.
    package private(set) var waiting: TreeSet<Animal.ID>
    /// Beyond the guide: the ids that the store assigned, by placeholder, for operations that are
    /// in the queue.
    package var added: TreeDictionary<Animal.ID, Animal.ID> = [:]
    /// Beyond the guide: the operations that ended last.
    package var ended = Expiry<Animal.ID>()
    /// Beyond the guide: the newest mark or deletion, if it failed.
    package var failure: ChangeFailure? = nil

    package init(
      data: TreeDictionary<Animal.ID, Animal> = [:],
      status: Status? = nil,
      queue: TreeDictionary<Animal.ID, Status> = [:]
    ) {
      self.table = Table(data)
      self.names = AnimalsByName().with(self.table)
      self.status = status
      self.statuses = queue
      self.waiting = Self.waiting(in: queue)
    }

    /// With dictionaries, as the guide's listings have them.
    @_disfavoredOverload
    package init(
      data: [Animal.ID: Animal], status: Status? = nil, queue: [Animal.ID: Status] = [:]
    ) {
      self.init(
        data: TreeDictionary(data),
        status: status,
        queue: TreeDictionary(queue))
    }

    private static func waiting(
      in queue: TreeDictionary<Animal.ID, Status>
    ) -> TreeSet<Animal.ID> {
      TreeSet(queue.lazy.filter { $0.value == .waiting }.map(\.key))
    }

    /// The status of the newest operation on the animal whose id has exactly these bytes.
    ///
    /// - Complexity: O(log n), n operations in the queue.
    func status(exactly id: Animal.ID) -> Status? {
      self.statuses[exactly: id]
    }

    /// Sets the status of the newest operation on an animal; `nil` forgets it.
    ///
    /// - Complexity: O(log n), n operations in the queue.
    package mutating func setStatus(_ status: Status?, of id: Animal.ID) {
      self.statuses[id] = status
      if status == .waiting {
        self.waiting.insert(id)
      } else {
        self.waiting.remove(id)
      }
    }

    /// The rows of ``table``. Setting them costs O(n), n animals; change the table instead.
    package var data: TreeDictionary<Animal.ID, Animal> {
      get { self.table.rows }
      set { self.table = Table(newValue) }
    }
  }
}
