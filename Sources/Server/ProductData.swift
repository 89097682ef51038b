import DatabaseFiles
import Logging

/// The listener of a product, and its database on this machine, if it has one.
struct ProductData: Sendable {
  /// For people, for example `The animals`.
  private let name: String
  private let listener: any AnyObject & Sendable
  private let file: DatabaseFile?
  /// Work that ends when the data is closed.
  private let cleaning: Task<Void, Never>?

  /// - Parameters:
  ///   - name: For people, for example `The animals`.
  ///   - listener: Listens to the product's store.
  ///   - file: The database.
  ///   - cleaning: Work that ends when the data is closed.
  ///   - logger: Receives the reason if the database cannot be opened yet.
  init(
    _ name: String,
    _ listener: any AnyObject & Sendable,
    file: DatabaseFile?,
    cleaning: Task<Void, Never>? = nil,
    _ logger: Logger
  ) {
    self.name = name
    self.listener = listener
    self.file = file
    self.cleaning = cleaning
    guard let file, let reason = file.firstObstacle else { return }
    logger.error(
      "A database cannot be opened yet",
      metadata: ["file": "\(file.path ?? "in memory")", "error": "\(reason)"]
    )
  }

  /// Why the database cannot be used now; `nil` if it can.
  var obstacle: String? {
    get async { await self.file?.obstacle.map { "\(self.name) cannot be used. \($0)" } }
  }

  /// Call it when no effect is in progress any more.
  func close() throws {
    self.cleaning?.cancel()
    try self.file?.close()
  }
}
