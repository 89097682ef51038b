import Foundation
import SampleFeeds

/// Measures Quakes for `Benchmarks/run`, which knows what the figures mean.
///
/// ```
/// Quakes feed SEED RANGE FILE       writes a sample feed, month or day
/// Quakes places                     prints the URLs that windows of a month are at
/// Quakes measure FEED WINDOWS       measures the parts of a refresh, and prints them as JSON
/// Quakes serve FEED FOLDER          serves Quakes on this feed, with its database in the folder
/// ```
@main enum QuakesBenchmark {
  /// When all feeds end: the same bytes on every day.
  static let anchor = Date(timeIntervalSince1970: 1_769_904_000)

  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    let operands = Array(arguments.dropFirst())
    switch (arguments.first, operands.count) {
    case ("feed", 3):
      let feed = SampleFeed(anchor: Self.anchor, seed: UInt64(operands[0]) ?? 0)
      try feed.data(range: operands[1] == "month" ? .allMonth : .allDay)
        .write(to: URL(filePath: operands[2]))
    case ("places", 0):
      print(Place.all.map(\.url).joined(separator: "\n"))
    case ("measure", 2):
      let data = try Data(contentsOf: URL(filePath: operands[0]))
      try await Parts(data, windows: Int(operands[1]) ?? 0).measure()
    case ("serve", 2):
      let data = try Data(contentsOf: URL(filePath: operands[0]))
      try await QuakesServer(data, folder: URL(filePath: operands[1])).run()
    default:
      throw Failure(message: "usage: Quakes feed|places|measure|serve …")
    }
  }
}

struct Failure: Error {
  let message: String
}

/// Prints a value on a line, for whoever reads the standard output.
func printJSON(_ value: some Encodable) throws {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys]
  FileHandle.standardOutput.write(try encoder.encode(value) + Data("\n".utf8))
}
