import ArgumentParser
import Foundation

/// The output format of a command.
package struct OutputOptions: ParsableArguments {
  @Flag(help: "Write JSON, for programs.")
  package var json = false

  package init() {}

  /// Writes to standard output.
  ///
  /// - Parameters:
  ///   - value: The output for programs.
  ///   - text: The output for people, including the final line end.
  /// - Throws: An error if the output is closed, or the value cannot be encoded.
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
