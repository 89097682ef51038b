public import Foundation

/// Where new ids come from, so that tests can say what they are.
///
/// Source: the guide, chapter AnimalsData, section LocalStore.
public protocol IncrementalStoreUUID {
  /// Different for each value.
  var uuidString: String { get }

  init()
}

extension UUID: IncrementalStoreUUID {}
