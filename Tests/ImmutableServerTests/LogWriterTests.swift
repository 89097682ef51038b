import Foundation
import TestSupport
import Testing

@testable import HTTPConnections

struct LogWriterTests {
  private let reading: FileHandle
  private let writing: FileHandle

  init() {
    let pipe = Pipe()
    (self.reading, self.writing) = (pipe.fileHandleForReading, pipe.fileHandleForWriting)
  }

  @Test func `a line that is read is written at once`() throws {
    let writer = LogWriter(self.writing.fileDescriptor) { _ in }

    writer.write(Array("one\n".utf8))
    writer.write(Array("two\n".utf8))

    #expect(try self.reading.read(upToCount: 8) == Data("one\ntwo\n".utf8))
  }

  @Test(.timeLimit(.minutes(1)))
  func `lines that nobody reads wait in bounded memory, and lost ones are counted`() async throws {
    let lost = Transcript<Int>()
    let writer = LogWriter(self.writing.fileDescriptor) { lost.append($0) }
    let lines = (0..<40_000).map { "\($0) " + String(repeating: "x", count: 60) + "\n" }

    for line in lines { writer.write(Array(line.utf8)) }
    async let read = self.read()
    await lost.wait { $0.isEmpty == false }
    try self.writing.close()

    let text = await read
    let count = lines.count - lost.entries.reduce(0, +)
    #expect(text == lines[..<count].joined())
    #expect((1 << 20...3 << 20).contains(text.utf8.count))
  }

  @Test(.timeLimit(.minutes(1)))
  func `a line may be longer than all that may wait`() async throws {
    let writer = LogWriter(self.writing.fileDescriptor) { _ in }
    let line = String(repeating: "x", count: 3 << 20) + "\n"

    writer.write(Array(line.utf8))
    async let read = self.read()
    writer.finish(within: .seconds(30))
    try self.writing.close()

    #expect(await read == line)
  }

  /// Everything until the pipe is closed. A thread of its own waits for it.
  private func read() async -> String {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { [reading] in
        let data = (try? reading.readToEnd()) ?? Data()
        continuation.resume(returning: String(decoding: data, as: UTF8.self))
      }
    }
  }

  @Test func `at the end of the process, a file has all lines`() throws {
    let url = URL.temporaryDirectory.appending(path: "\(UUID().uuidString).log")
    try Data().write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    let file = try FileHandle(forWritingTo: url)
    let writer = LogWriter(file.fileDescriptor) { _ in }

    for number in 0..<100 { writer.write(Array("\(number)\n".utf8)) }
    writer.finish(within: .seconds(10))

    #expect(try String(contentsOf: url, encoding: .utf8).split(separator: "\n").count == 100)
  }
}
