import GRDB

/// The tables of a product, as the changes that led to them.
package struct DatabaseSchema: Sendable {
  /// The product; it tells its databases from others.
  package let name: String
  /// Statements in SQL, each for one version.
  package let migrations: [String]

  package init(name: String, migrations: [String]) {
    self.name = name
    self.migrations = migrations
  }

  var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    for (index, sql) in self.migrations.enumerated() {
      migrator.registerMigration("\(self.name) \(index + 1)") { try $0.execute(sql: sql) }
    }
    return migrator
  }
}
