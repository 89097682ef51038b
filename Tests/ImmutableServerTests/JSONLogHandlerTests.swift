import Foundation
import Logging
import PlainText
import Synchronization
import Testing

@testable import HTTPConnections

struct JSONLogHandlerTests {
  /// Keeps what is written.
  private final class Lines: Sendable {
    private let data = Mutex(Data())

    var text: String { self.data.withLock { String(decoding: $0, as: UTF8.self) } }

    func write(_ line: Data) {
      self.data.withLock { $0 += line }
    }

    func objects() throws -> [[String: Any]] {
      try self.data.withLock { $0 }.split(separator: UInt8(ascii: "\n")).map { line in
        try #require(try JSONSerialization.jsonObject(with: line) as? [String: Any])
      }
    }
  }

  private struct Failure: Error, CustomStringConvertible {
    let description = "the disk is \"full\""
  }

  private let lines = Lines()
  private var logger: Logger

  init() {
    let lines = self.lines
    self.logger = Logger(label: "server") { label in
      JSONLogHandler(
        label: label,
        now: { Date(timeIntervalSince1970: 1_795_264_879.016) },
        write: lines.write
      )
    }
  }

  @Test func `a message is an object in a line`() {
    self.logger.info("request", metadata: ["path": "/counter", "status": "200"])
    self.logger.error("stop")

    #expect(
      self.lines.text == #"""
        {"label":"server","level":"info","message":"request","path":"/counter","status":"200","time":"2026-11-21T12:41:19.016Z"}
        {"label":"server","level":"error","message":"stop","time":"2026-11-21T12:41:19.016Z"}

        """#
    )
  }

  @Test(
    arguments: [
      "\"", "\\", "\n", "\r\n", "\u{0}", "\u{1B}[31m", "\u{2028}", "\u{85}", "\"\u{301}",
      "\u{9B}31m", "\u{7F}", "\u{202E}txt.exe", "\u{2066}",
      #"","level":"debug"#, "🦊", "</script>", "{}", "",
    ]
  )
  func `hostile text is kept unchanged in one line`(text: String) throws {
    self.logger.info("\(text)", metadata: [text: "\(text)", "list": [.string(text)]])

    let object = try #require(try self.lines.objects().first)
    #expect(self.lines.text.inOneLine == "\(self.lines.text.dropLast())\\n")
    #expect(object["message"] as? String == text)
    #expect(object[text] as? String == text)
    #expect(object["list"] as? [String] == [text])
    #expect(object["level"] as? String == "info")
    #expect(object.count == 6)
  }

  /// A server that this one asked could make lines of megabytes.
  @Test func `a text is cut`() throws {
    let text = String(repeating: "x", count: 1 << 20)
    self.logger.info("\(text)", metadata: ["a": "\(text)", "b": [.string(text)]])

    let cut = String(repeating: "x", count: 16 << 10) + "\u{2026}"
    let object = try #require(try self.lines.objects().first)
    #expect(object["message"] as? String == cut)
    #expect(object["a"] as? String == cut)
    #expect(object["b"] as? [String] == [cut])
  }

  @Test func `lists and objects keep their structure`() {
    self.logger.info(
      "m",
      metadata: ["a": ["b": ["c", .stringConvertible(1)], "d": [:]], "e": []]
    )

    #expect(
      self.lines.text == #"""
        {"a":{"b":["c","1"],"d":{}},"e":[],"label":"server","level":"info","message":"m","time":"2026-11-21T12:41:19.016Z"}

        """#
    )
  }

  @Test func `metadata never replaces the standard fields`() throws {
    self.logger.info("m", metadata: ["level": "debug", "time": "never"])

    let object = try #require(try self.lines.objects().first)
    #expect(object["level"] as? String == "info")
    #expect(object["metadata.level"] as? String == "debug")
    #expect(object["time"] as? String == "2026-11-21T12:41:19.016Z")
    #expect(object["metadata.time"] as? String == "never")
  }

  @Test func `a message's own metadata overrides the logger's`() throws {
    var logger = self.logger
    logger[metadataKey: "id"] = "logger"
    logger[metadataKey: "kept"] = "logger"
    logger.info("m", metadata: ["id": "message"])

    let object = try #require(try self.lines.objects().first)
    #expect(object["id"] as? String == "message")
    #expect(object["kept"] as? String == "logger")
  }

  @Test func `an error is a field`() throws {
    self.logger.error("m", error: Failure())

    #expect(try self.lines.objects().first?["error"] as? String == "the disk is \"full\"")
  }

  @Test func `lines from concurrent threads are not mixed`() async throws {
    let logger = self.logger
    await withTaskGroup { group in
      for task in 1...8 {
        group.addTask {
          for count in 1...100 { logger.info("m", metadata: ["n": "\(task).\(count)"]) }
        }
      }
    }

    let numbers = try self.lines.objects().compactMap { $0["n"] as? String }
    #expect(numbers.count == 800)
    #expect(Set(numbers).count == 800)
  }
}
