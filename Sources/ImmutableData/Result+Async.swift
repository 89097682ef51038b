extension Result where Failure == any Error {
  /// What an asynchronous operation returns or throws.
  ///
  /// - Parameter operation: Is awaited.
  package init(_ operation: () async throws -> Success) async {
    do {
      self = .success(try await operation())
    } catch {
      self = .failure(error)
    }
  }
}
