import Foundation
import Testing

@testable import ImmutableServer

struct ProgramTests {
  private struct Complaint: LocalizedError {
    var errorDescription: String? { "There is no cheese." }
  }

  private struct Plain: Error, CustomStringConvertible {
    let description = "There is no bread."
  }

  @Test func `an error is described by its sentence`() {
    #expect(Program.sentence(for: Complaint()) == "There is no cheese.")
    #expect(Program.sentence(for: Plain()) == "There is no bread.")
    #expect(
      Program.sentence(for: StartError(code: .addressInUse, "The port is in use."))
        == "The port is in use."
    )
  }

  @Test func `what a program prints appears at once in a pipe`() async throws {
    let result = try await #require(
      processExitsWith: .exitCode(0),
      observing: [\.standardOutputContent]
    ) {
      await Program.run {
        print("Listening")
        // Without writing what is buffered, like a program that is killed.
        _exit(0)
      }
    }

    let output = String(decoding: result.standardOutputContent, as: UTF8.self)
    #expect(output.contains("Listening\n"))
  }

  @Test func `a program whose body throws says so and exits with status 1`() async throws {
    let result = try await #require(
      processExitsWith: .exitCode(1),
      observing: [\.standardErrorContent]
    ) {
      await Program.run { throw Plain() }
    }

    let error = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(error.contains("Error: There is no bread.\n"))
  }
}
