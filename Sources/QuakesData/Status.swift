// Exported for the status, with its cases, that is part of the state.
@_exported public import ImmutableData

/// The status of an asynchronous operation.
///
/// Source: the guide, chapter QuakesData, section Status.
public typealias Status = OperationStatus
