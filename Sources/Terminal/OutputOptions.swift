import ArgumentParser
import Foundation

/// How a command writes what it has to say.
package struct OutputOptions: ParsableArguments {
  @Flag(help: "Write JSON, for programs.")
  package var json = false

  package init() {}

  /// Writes to standard output.
  ///
  /// - Parameters:
  ///   - value: For programs.
  ///   - text: For people, with its last line ended.
  /// - Throws: When nobody reads it, or it is no JSON.
  package func write(_ value: some Encodable, _ text: @autoclosure () -> String) throws {
    let output: Data
    if self.json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      output = try encoder.encode(value) + Data("\n".utf8)
    } else {
      output = Data(text().utf8)
    }
    try FileHandle.standardOutput.write(contentsOf: output)
  }
}
