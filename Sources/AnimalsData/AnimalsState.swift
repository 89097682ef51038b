package import HashTreeCollections
public import ImmutableData
import Pictures

/// What all windows share: the catalogue, and how the operations on it stand.
///
/// Its structure is no part of the interface: components read it through selectors.
///
/// Source: the guide, chapter AnimalsData, section AnimalsState; chapter Performance for
/// `TreeDictionary`.
public struct AnimalsState: Hashable, Codable, Sendable {
  package var categories: Categories
  package var animals: Animals
  /// Beyond the guide: why pictures cannot be kept; `nil`: they can be. It never changes.
  package var noPictures: String?
  /// Beyond the guide: the most animals; `nil`: ``defaultLimit``. It never changes, so that all who
  /// reduce the same actions refuse the same.
  private var limit: Int?

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
  ///   - noPictures: Why pictures cannot be kept, as a sentence; `nil`: they can be.
  ///   - limit: The most animals that may be added; see ``AnimalsReducer/reduceOrRefuse(state:action:)``.
  public init(noPictures: String? = nil, limit: Int? = nil) {
    self.init(categories: Categories(), animals: Animals())
    self.noPictures = noPictures
    self.limit = limit
  }

  /// The most animals, if nobody has said another number.
  public static var defaultLimit: Int { 10_000 }

  /// The most animals.
  public var animalLimit: Int { self.limit ?? Self.defaultLimit }

  /// Whether there are as many animals as there may be, with those that are being added.
  ///
  /// - Complexity: O(1); near the limit O(q), q operations in the queue.
  package var isFull: Bool {
    let (data, queue) = (self.animals.data, self.animals.queue)
    guard data.count + queue.count >= self.animalLimit else { return false }
    let adding = queue.lazy.filter { $0.value == .waiting && data[$0.key] == nil }.count
    return data.count + adding >= self.animalLimit
  }

  /// The hashes of the pictures that animals have; `nil` while nobody knows the animals.
  ///
  /// - Complexity: O(n), n animals.
  public var pictureHashes: Set<String>? {
    guard self.animals.status == .success else { return nil }
    return Set(self.animals.data.values.compactMap { $0.picture?.hash })
  }

  /// The animals, as selectors of tables read them.
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
  }

  package struct Animals: Hashable, Sendable {
    package var table: Table<Animal> {
      didSet { self.names.follow(self.table.difference(from: oldValue)) }
    }
    private(set) var names: AnimalsByName
    /// Of the newest fetch; `nil` before the first.
    package var status: Status? = nil
    /// How the newest operation on an animal stands. A new animal has the id of its submission
    /// here until the store gives it one of its own.
    package var queue: TreeDictionary<Animal.ID, Status> = [:]
    /// Beyond the guide: the ids that the store gave, by placeholder; none whose operation is not in
    /// the queue.
    package var added: TreeDictionary<Animal.ID, Animal.ID> = [:]
    /// Beyond the guide: which operations ended last.
    package var ended = Expiry<Animal.ID>()
    /// Beyond the guide: why the newest mark could not be put on its animal, or the newest deletion not
    /// carried out; `nil` if it could.
    package var markError: String? = nil

    package init(
      data: TreeDictionary<Animal.ID, Animal> = [:],
      status: Status? = nil,
      queue: TreeDictionary<Animal.ID, Status> = [:]
    ) {
      self.table = Table(data)
      self.names = AnimalsByName().with(self.table)
      self.status = status
      self.queue = queue
    }

    /// The rows of ``table``. Setting them costs O(n), n animals: change the table instead.
    package var data: TreeDictionary<Animal.ID, Animal> {
      get { self.table.rows }
      set { self.table = Table(newValue) }
    }
  }
}
