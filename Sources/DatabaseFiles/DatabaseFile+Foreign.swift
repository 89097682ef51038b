// Writes by others. The lock excludes our other programs, but not a shell or a script, nor another
// store of this program.
extension DatabaseFile {
  /// Checks whether another connection has committed since the last check, or since the file was
  /// opened. Our own commits do not count.
  ///
  /// - Throws: ``LocalStoreError``.
  /// - Complexity: O(1).
  public func hasForeignCommits() async throws -> Bool {
    try await self.perform { try $1.hasForeignCommits($0) }
  }

  /// Checks repeatedly, until the task is cancelled or the file is closed. Only one task may do
  /// this, since each commit is noticed once. It waits until the file is open.
  ///
  /// - Parameters:
  ///   - pause: How long to wait between two checks.
  ///   - clock: The clock that measures the pause.
  ///   - onFollowing: Called after the first check, and after `body` if that had something to do.
  ///   - body: Called after others have committed.
  /// - Throws: ``LocalStoreError`` if it cannot be read, or an error that `body` throws. The commit
  ///   is then noticed again.
  public func followForeignCommits(
    every pause: Duration = .milliseconds(500),
    clock: any Clock<Duration> = ContinuousClock(),
    onFollowing: @Sendable () -> Void,
    _ body: @Sendable () async throws -> Void
  ) async throws {
    guard self.isOnDisk else { return }
    do {
      let opened = try await self.database.whenOpen()
      var isFollowing = false
      while true {
        if try await self.hasForeignCommits() {
          do {
            try await body()
          } catch {
            opened.forgetSeenVersion()
            throw error
          }
        }
        if isFollowing == false { onFollowing() }
        isFollowing = true
        try await clock.sleep(for: pause)
      }
    } catch let error as LocalStoreError where error.code == .closed {
      return
    }
  }
}
