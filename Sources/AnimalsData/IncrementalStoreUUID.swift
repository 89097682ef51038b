public import Foundation

/// The source of new ids, so that tests can choose them.
///
/// Source: the guide, chapter AnimalsData, section LocalStore.
public protocol IncrementalStoreUUID {
  /// Different for each value.
  var uuidString: String { get }

  init()
}

extension UUID: IncrementalStoreUUID {}
