import Foundation
import ImmutableRuntime
import ImmutableUI
import Logging

/// The folder where reports are kept, with limits. Only the owner of the files can read them.
actor ReportDrawer {
  /// The limits of all reports together. The oldest are not removed, so somebody has to read and
  /// move them.
  static let countLimit = 100
  static let byteLimit = 512 << 20
  /// The maximum number in an hour: from all clients, and from one network.
  static let hourly = 60
  static let hourlyByNetwork = 5
  /// The minimum time between two reports of a session.
  static let pause = Duration.seconds(60)

  private struct Attempt {
    let time: ContinuousClock.Instant
    let session: Identifier
    let network: String
    /// The submission whose report was saved.
    var saved: Tag?
  }

  private let folder: URL
  private let logger: Logger
  /// The reports of the last hour, even if they could not be saved; at most ``hourly``.
  private var attempts: [Attempt] = []

  /// - Throws: ``RecordingError`` if the folder cannot be made.
  init(_ folder: URL, _ logger: Logger) throws {
    self.folder = folder
    self.logger = logger
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    } catch {
      throw RecordingError("\(folder.path) cannot be made: \(error.localizedDescription)")
    }
  }

  /// Saves a report. Only one is made at a time. A report that was already saved is not saved again.
  /// The clock of the limits does not jump.
  ///
  /// - Parameters:
  ///   - submission: The submission of the report; `nil` if it has no token.
  ///   - make: Makes the file.
  /// - Throws: ``Refusal`` if there are too many reports, or if it cannot be saved. Nothing is
  ///   saved then.
  func keep(
    of visitor: ReportPages.Visitor,
    _ submission: Tag? = nil,
    at time: ContinuousClock.Instant = .now,
    _ make: @Sendable () throws -> Data
  ) throws {
    self.attempts.removeAll { $0.time + .seconds(3_600) < time }
    guard self.hasSaved(submission, of: visitor) == false else { return }
    try self.check(visitor, time)
    let name = "report-\(Date.now.formatted(Self.style))-\(Identifier().text.prefix(6)).jsonl"
    do {
      try self.checkRoom(for: 0)
      self.attempts.append(
        Attempt(time: time, session: visitor.session, network: visitor.network))
      let data = try make()
      try self.checkRoom(for: data.count)
      try OwnerFile.write(data, to: self.folder.appending(path: name))
      self.attempts[self.attempts.count - 1].saved = submission
      self.logger.notice(
        "A visitor has reported a problem", metadata: ["file": "\(name)", "bytes": "\(data.count)"])
    } catch let refusal as Refusal {
      throw refusal
    } catch {
      self.logger.error("A report cannot be stored", metadata: ["error": "\(error)"])
      throw Refusal(.failure, "This report could not be saved. Try again later.")
    }
  }

  private static let style = Date.ISO8601FormatStyle()
    .year().month().day().dateSeparator(.omitted).time(includingFractionalSeconds: false)
    .timeSeparator(.omitted)

  /// Whether a report has been saved in the last hour; never without a token.
  func hasSaved(_ submission: Tag?, of visitor: ReportPages.Visitor) -> Bool {
    submission != nil
      && self.attempts.contains { $0.session == visitor.session && $0.saved == submission }
  }

  private func check(_ visitor: ReportPages.Visitor, _ time: ContinuousClock.Instant) throws {
    guard
      self.attempts.contains(where: {
        $0.session == visitor.session && $0.time + Self.pause > time
      }) == false
    else {
      throw Refusal(
        .conflict, "Only one report can be sent in a minute. Wait a minute before the next.")
    }
    guard self.attempts.count(where: { $0.network == visitor.network }) < Self.hourlyByNetwork,
      self.attempts.count < Self.hourly
    else {
      throw Refusal(.conflict, "There were many reports in the last hour. Try again later.")
    }
  }

  private func checkRoom(for bytes: Int) throws {
    let files = try FileManager.default.contentsOfDirectory(
      at: self.folder, includingPropertiesForKeys: [.fileSizeKey])
    let size = try files.reduce(bytes) {
      $0 + (try $1.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0)
    }
    guard files.count < Self.countLimit, size <= Self.byteLimit else {
      self.logger.error(
        "There is no room for more reports; move some elsewhere",
        metadata: ["folder": "\(self.folder.path)", "reports": "\(files.count)"])
      throw Refusal(.conflict, "No more reports can be taken at the moment. Try again later.")
    }
  }
}
