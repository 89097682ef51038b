import ActionLogs
public import Foundation
public import Pictures

/// The pictures of several servers, in the database of their log.
///
/// ```swift
/// let address = try PostgreSQLAddress("postgres://server@db.example.org/products")
/// let origin = PostgreSQLPictures(address)
/// try await origin.open()
/// let pictures = try PictureStore(directory: folder, origin: origin)
/// ```
///
/// It has its own connection, so that the log does not wait for pictures, and holds one picture at
/// a time in memory.
public final class PostgreSQLPictures: PictureOrigin {
  private let connection: Connection

  public init(_ address: PostgreSQLAddress) {
    self.connection = Connection(address)
  }

  /// Creates the table if it does not exist.
  ///
  /// - Throws: ``ActionLogError``: `unavailable` or `foreign`.
  public func open() async throws {
    // If several servers start at the same time, one of them creates it. Even with IF NOT EXISTS, each
    // role would need the right to create tables.
    _ = try await self.connection.run(
      """
      DO $$ BEGIN
        PERFORM pg_advisory_xact_lock(4713102862);
        IF to_regclass('action_log.picture') IS NULL THEN
          CREATE TABLE action_log.picture (
            hash text PRIMARY KEY,
            bytes bytea NOT NULL,
            used timestamptz NOT NULL DEFAULT clock_timestamp()
          );
        END IF;
      END $$
      """
    )
  }

  public func keep(_ picture: Picture, _ file: URL) async throws {
    try await self.connection.keep(picture, file)
  }

  public func fetch(
    _ hash: String,
    _ write: @Sendable (Data) async throws -> Void
  ) async throws -> Bool {
    let rows = try await self.connection.run(
      "SELECT bytes FROM action_log.picture WHERE hash = $1", [.text(hash)])
    guard let row = rows.first else { return false }
    try await write(try row.bytes(0))
    return true
  }

  /// Removes pictures that have been unused for a while.
  ///
  /// - Parameters:
  ///   - used: The hashes of all that are used.
  ///   - grace: How long an unused picture is kept.
  /// - Throws: ``ActionLogError``: `unavailable` or `foreign`.
  /// - Complexity: O(n), n pictures.
  public func removeUnused(except used: [String], grace: Duration) async throws {
    let (hashes, seconds) = (Parameter.texts(used), Parameter.number(grace.components.seconds))
    // Every server does this, unless another one has done it recently.
    _ = try await self.connection.run(
      """
      UPDATE action_log.picture SET used = clock_timestamp()
      WHERE hash = ANY($1) AND used < clock_timestamp() - $2 * interval '1 second' / 6
      """,
      [hashes, seconds]
    )
    _ = try await self.connection.run(
      """
      DELETE FROM action_log.picture
      WHERE hash <> ALL($1) AND used < clock_timestamp() - $2 * interval '1 second'
      """,
      [hashes, seconds]
    )
  }
}

extension Connection {
  /// On its thread, because this waits for the disk.
  fileprivate func keep(_ picture: Picture, _ file: URL) throws {
    _ = try self.run(
      """
      INSERT INTO action_log.picture (hash, bytes) VALUES ($1, $2)
      ON CONFLICT (hash) DO UPDATE SET used = clock_timestamp()
      """,
      [.text(picture.hash), .bytes(try Data(contentsOf: file, options: .alwaysMapped))]
    )
  }
}
