import HTMLTemplates

/// Compares compiled templates with a byte writer: best of alternating runs.
@main
struct TemplateBenchmark {
  static let fields: Slots<Row> = [
    .text("id") { $0.id },
    .text("title") { $0.title },
    .text("place") { $0.place },
    .text("magnitude") { $0.magnitude },
    .text("depth") { $0.depth },
    .text("time") { $0.time },
    .text("status") { $0.status },
    .text("link") { $0.link },
    .text("note") { $0.note },
  ]

  static let content =
    "<h2>{{title}}</h2><p>{{place}}</p><p>{{magnitude}}</p><p>{{depth}}</p>"
    + "<time>{{time}}</time><p>{{status}}</p><a href=\"{{link}}\">{{note}}</a>"

  static func main() throws {
    let library = TemplateLibrary(sources: [
      "Each": "<ul data-list=\"rows\">{{#rows}}<li data-key=\"{{id}}\">\(Self.content)</li>"
        + "{{/rows}}</ul>\n",
      "Section": "<ul data-list=\"rows\">{{#rows}}<li>\(Self.content)</li>{{/rows}}</ul>\n",
    ])
    let each = try library.compile(
      "Each",
      Slots<Page>([.each("rows", Self.fields) { $0.rows }])
    )
    let section = try library.compile(
      "Section",
      Slots<Page>([
        .section("rows") { section in
          try section.requireContainer(attribute: "data-list", value: "rows")
          let row = try section.compile(Self.fields) { row, writer in
            writer.write(" data-key=\"")
            writer.escape(row.id)
            writer.write("\"")
          }
          return { page, writer in
            for value in page.rows { row.render(value, into: &writer) }
          }
        }
      ])
    )
    let page = Page(rows: (1...1_000).map(Row.make))
    try Self.compare(each, section, page)
  }

  private static func compare(
    _ each: TemplateProgram<Page>,
    _ section: TemplateProgram<Page>,
    _ page: Page
  ) throws {
    var hand: [UInt8] = []
    var best = [Duration](repeating: .seconds(9), count: 3)
    let clock = ContinuousClock()
    for _ in 0..<400 {
      let times = [
        clock.measure {
          var writer = HandWritten()
          writer.bytes.reserveCapacity(512_000)
          writer.write(page)
          hand = writer.bytes
        },
        try Self.time(each, page, hand),
        try Self.time(section, page, hand),
      ]
      for index in best.indices { best[index] = min(best[index], times[index]) }
    }
    print("| 1,000 rows of 9 fields, \(hand.count) bytes | Time | By hand = 1 | Target |")
    print("| --- | ---: | ---: | ---: |")
    for (name, time) in zip(["By hand", "`.each`", "Rows, one by one"], best) {
      let milliseconds = hundredths(time / .milliseconds(1))
      print("| \(name) | \(milliseconds) ms | \(hundredths(time / best[0])) | 1.3 |")
    }
  }

  private static func time(
    _ program: TemplateProgram<Page>,
    _ page: Page,
    _ expected: [UInt8]
  ) throws -> Duration {
    var bytes: [UInt8] = []
    let time = ContinuousClock().measure {
      var writer = HTMLWriter(capacity: 512_000)
      program.render(page, into: &writer)
      bytes = writer.bytes
    }
    guard bytes == expected else { throw Difference() }
    return time
  }

  struct Difference: Error {}
}

private func hundredths(_ number: Double) -> String {
  let number = Int((number * 100).rounded())
  let rest = number % 100
  return "\(number / 100).\(rest < 10 ? "0" : "")\(rest)"
}
