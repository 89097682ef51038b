import DatabaseFiles
import Foundation
import GRDB

/// The earthquakes in a database, within one access to it.
struct QuakeTable {
  private let database: Database

  init(_ database: Database) {
    self.database = database
  }
}

// Reading.
extension QuakeTable {
  func quakes() throws -> [Quake] {
    try self.database.values(
      """
      SELECT quakeId, magnitude, time, updated, name, longitude, latitude
      FROM quake ORDER BY rowid
      """,
      value: Self.quake
    )
  }

  private static func quake(_ row: Row) throws -> Quake {
    let quakeId = try row.text(0)
    func number(_ index: Int, _ name: String, in range: ClosedRange<Double>) throws -> Double {
      guard let number = row.number(index), range.contains(number) else {
        throw Self.invalid(name, of: quakeId)
      }
      return number
    }
    func date(_ index: Int, _ name: String) throws -> Date {
      let finite = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
      return Date(timeIntervalSinceReferenceDate: try number(index, name, in: finite))
    }
    guard let name = try? row.text(4) else { throw Self.invalid("name", of: quakeId) }
    return Quake(
      quakeId: quakeId,
      magnitude: try number(1, "magnitude", in: QuakeLimits.magnitudes),
      time: try date(2, "time"),
      updated: try date(3, "time of update"),
      name: name,
      longitude: try number(5, "longitude", in: QuakeLimits.longitudes),
      latitude: try number(6, "latitude", in: QuakeLimits.latitudes)
    )
  }

  private static func invalid(_ name: String, of quakeId: Quake.ID) -> LocalStoreError {
    LocalStoreError(
      code: .invalidRow,
      message: "The earthquake “\(quakeId)” has no valid \(name). Repair the database, or take a "
        + "newer version of this program."
    )
  }
}

// Writing.
extension QuakeTable {
  func save(_ quakes: [Quake]) throws {
    guard quakes.isEmpty == false else { return }
    let statement = try self.database.cachedStatement(
      sql: """
        INSERT INTO quake (quakeId, magnitude, time, updated, name, longitude, latitude)
        VALUES (CAST(? AS TEXT), ?, ?, ?, CAST(? AS TEXT), ?, ?)
        ON CONFLICT (quakeId) DO UPDATE SET
          magnitude = excluded.magnitude, time = excluded.time, updated = excluded.updated,
          name = excluded.name, longitude = excluded.longitude, latitude = excluded.latitude
        """
    )
    for quake in quakes {
      statement.setUncheckedArguments([
        Data(quake.quakeId.utf8), quake.magnitude,
        quake.time.timeIntervalSinceReferenceDate, quake.updated.timeIntervalSinceReferenceDate,
        Data(quake.name.utf8), quake.longitude, quake.latitude,
      ])
      try statement.execute()
    }
  }

  func delete(_ quakeId: Quake.ID) throws {
    try self.database.run("DELETE FROM quake WHERE quakeId = CAST(? AS TEXT)", quakeId)
  }

  func deleteAll() throws {
    try self.database.run("DELETE FROM quake")
  }
}

extension Row {
  fileprivate func number(_ index: Int) -> Double? {
    guard case .double(let number) = (self[index] as DatabaseValue).storage else { return nil }
    return number
  }
}
