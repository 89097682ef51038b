// Messages for visitors contain no path and no code. Those go to the log.
extension LocalStoreError {
  /// A sentence for a visitor, who cannot repair the database.
  public var visitorMessage: String {
    switch self.code {
    case .diskFull:
      "There is no room left on the server's disk. Nothing was saved; try again later."
    case .locked:
      "Another program has locked the database. Nothing was saved; try again in a moment."
    case .notWritable: "The database cannot be written to. Nothing was saved; try again later."
    case .missing: "The database is missing at the moment. Nothing was saved; try again later."
    case .uncertain:
      "The database went missing while this was being saved. It may have been saved anyway: check "
        + "that later, before you try again."
    case .inputOutput: "The server's disk has failed. Nothing was saved; try again later."
    case .closed: "The server is closing. Nothing was saved; try again in a moment."
    case .corrupt, .incomplete, .notADatabase, .newerVersion, .inUse, .database:
      "The database cannot be used at the moment. Nothing was saved; try again later."
    case .invalidRow:
      "Some of the stored data cannot be read. Nothing was changed; try again later."
    // A product's own code, whose message is about a value.
    default: self.message
    }
  }
}
