import HTMLTemplates
import Testing

extension HTMLWriter {
  var html: String {
    String(decoding: self.bytes, as: UTF8.self)
  }
}

struct HTMLWriterTests {
  @Test func `a new writer has no bytes and no holes`() {
    let writer = HTMLWriter(capacity: 100)

    #expect(writer.bytes.isEmpty)
    #expect(writer.holes.isEmpty)
  }

  @Test func `trusted HTML is written unchanged`() {
    var writer = HTMLWriter()

    writer.write("<p>é</p>")
    writer.write(bytes: Array("<b>".utf8))
    writer.write(trusted: "<i>&amp;</i>")

    #expect(writer.html == "<p>é</p><b><i>&amp;</i>")
  }

  @Test func `a hole keeps the place of the next byte`() {
    var writer = HTMLWriter()

    writer.hole("start")
    writer.write("ab")
    writer.hole(1)
    writer.hole(2)
    writer.escape("<")
    writer.hole("end")

    #expect(writer.html == "ab&lt;")
    #expect(writer.holes.map(\.offset) == [0, 2, 2, 6])
    #expect(writer.holes.map { "\($0.content)" } == ["start", "1", "2", "end"])
  }

  @Test func `a slot can leave a hole between what a template writes`() throws {
    let slots: Slots<Animal> = [
      .text("name") { $0.name },
      .writer("token") { animal, writer in writer.hole(animal.legs) },
    ]
    let program = try TemplateLibrary(sources: ["Animal": "<p>{{name}}{{token}}</p>"])
      .compile("Animal", slots)
    var writer = HTMLWriter()

    program.render(Animal(name: "&"), into: &writer)

    #expect(writer.html == "<p>&amp;</p>")
    #expect(writer.holes.map(\.offset) == [8])
    #expect(writer.holes.map { $0.content as? Int } == [6])
  }

  @Test func `a copy of a writer does not see what the other writes`() {
    var writer = HTMLWriter()
    writer.write("a")

    var copy = writer
    copy.write("b")
    writer.escape("<")

    #expect(copy.html == "ab")
    #expect(writer.html == "a&lt;")
  }
}
