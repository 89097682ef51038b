// For the status that a state has, with its cases.
@_exported public import ImmutableData

/// How an asynchronous operation stands.
///
/// Source: the guide, chapter AnimalsData, section Status.
public typealias Status = OperationStatus
