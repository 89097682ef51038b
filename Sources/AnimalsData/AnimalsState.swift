package import HashTreeCollections
public import ImmutableData

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
  package private(set) var noPictures: String?

  package init(
    categories: Categories,
    animals: Animals
  ) {
    self.categories = categories
    self.animals = animals
  }

  /// Nothing fetched yet.
  ///
  /// - Parameter noPictures: Why pictures cannot be kept, as a sentence; `nil`: they can be.
  public init(noPictures: String? = nil) {
    self.init(categories: Categories(), animals: Animals())
    self.noPictures = noPictures
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
