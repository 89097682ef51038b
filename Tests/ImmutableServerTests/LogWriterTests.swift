import Dispatch
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

  @Test(
    arguments: [
      "\n", "\r\n", "\r", "\u{0}", "\u{1B}[31m", "\u{85}", "\u{9B}31m", "\u{2028}", "\u{202E}",
    ]
  )
  func `a message with hostile text is one line`(text: String) throws {
    let stream = LogStream(writer: LogWriter(self.writing.fileDescriptor) { _ in })

    stream.write("before\(text)2026-11-27T08:00:00+0000 error server: forged\n")
    stream.write("next \u{1F98A}\n")
    try self.writing.close()
    let written = String(decoding: try self.reading.readToEnd() ?? Data(), as: UTF8.self)

    let lines = written.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.first?.hasPrefix("before\\") == true)
    #expect(lines.last == "next \u{1F98A}")
    let hidden = written.unicodeScalars.filter { scalar in
      scalar != "\n" && scalar.value != 0x1F98A && (0x20..<0x7F).contains(scalar.value) == false
    }
    #expect(Array(hidden) == [])
  }

  /// A server that this one asked could make lines of megabytes.
  @Test func `a message is cut`() throws {
    let writer = LogWriter(self.writing.fileDescriptor) { _ in }

    LogStream(writer: writer).write(String(repeating: "x", count: 1 << 20) + "\n")
    writer.finish(within: .seconds(60))
    try self.writing.close()
    let written = String(decoding: try self.reading.readToEnd() ?? Data(), as: UTF8.self)

    #expect(written == String(repeating: "x", count: 16 << 10) + "\u{2026}\n")
  }

  /// As if it were a pipe, and as if it were a file on a disk that hangs.
  @Test(.timeLimit(.minutes(5)), arguments: [true, false])
  func `lines that nobody reads wait in bounded memory, and lost ones are counted`(
    isPipe: Bool
  ) async throws {
    let lost = Transcript<Int>()
    let writer = LogWriter(self.writing.fileDescriptor, isPipe: isPipe) { lost.append($0) }
    let lines = (0..<40_000).map { "\($0) " + String(repeating: "x", count: 60) + "\n" }

    for line in lines { writer.write(Array(line.utf8)) }
    let read = self.read()
    await lost.wait { $0.isEmpty == false }
    try self.writing.close()

    let text = await read.text
    let written = text.split(separator: "\n")
    let numbers = written.compactMap { $0.split(separator: " ").first.flatMap { Int($0) } }
    #expect(written.count == lines.count - lost.entries.reduce(0, +))
    #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
    #expect(numbers.map { lines[$0] }.joined() == text)
    #expect((1 << 20...3 << 20).contains(text.utf8.count))
  }

  @Test(.timeLimit(.minutes(5)))
  func `a line may be longer than all that may wait`() async throws {
    let writer = LogWriter(self.writing.fileDescriptor) { _ in }
    let line = String(repeating: "x", count: 3 << 20) + "\n"

    writer.write(Array(line.utf8))
    // From then on it is being written, and others may wait.
    let first = try self.reading.read(upToCount: 1)
    writer.write(Array("next\n".utf8))
    let read = self.read()
    writer.finish(within: .seconds(30))
    try self.writing.close()

    #expect(first == Data("x".utf8))
    #expect(await read.text == line.dropFirst() + "next\n")
  }

  /// Everything until the pipe is closed. A thread of its own waits for it.
  private func read() -> Transcript<String> {
    let read = Transcript<String>()
    Thread.detachNewThread { [reading] in
      let data = (try? reading.readToEnd()) ?? Data()
      read.append(String(decoding: data, as: UTF8.self))
    }
    return read
  }

  /// The process may crash afterwards.
  @Test(.timeLimit(.minutes(5))) func `a line is in its file when it has been written`() throws {
    let url = URL.temporaryDirectory.appending(path: "\(UUID().uuidString).log")
    try Data().write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    let file = try FileHandle(forWritingTo: url)
    let writer = LogWriter(file.fileDescriptor, patience: .seconds(30)) { _ in }
    let missing = Transcript<Int>()

    // Also if other threads write.
    DispatchQueue.concurrentPerform(iterations: 200) { number in
      writer.write(Array("\(number).\n".utf8))
      let text = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
      if text.split(separator: "\n").contains("\(number).") == false { missing.append(number) }
    }

    #expect(missing.entries == [])
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

extension Transcript<String> {
  /// The only entry.
  fileprivate var text: String {
    get async {
      await self.wait { $0.isEmpty == false }
      return self.entries.joined()
    }
  }
}
