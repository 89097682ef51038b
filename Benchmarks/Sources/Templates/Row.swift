/// A row of nine text fields, as long as those of a feed.
struct Row: Sendable {
  let id: String
  let title: String
  let place: String
  let magnitude: String
  let depth: String
  let time: String
  let status: String
  let link: String
  let note: String

  static func make(_ number: Int) -> Row {
    Row(
      id: "us7000\(number)",
      title: "M 4.\(number % 10) - \(number) km SSE of Punta de Burica, Panama",
      place: "Punta de Burica & surroundings, Panama",
      magnitude: "4.\(number % 10)",
      depth: "\(number % 700) km",
      time: "2024-05-0\(number % 9 + 1) at 10:15:30",
      status: number.isMultiple(of: 3) ? "reviewed" : "automatic",
      link: "https://earthquake.usgs.gov/event?id=us7000\(number)&format=html&nodes=2",
      note: number.isMultiple(of: 5) ? "\"felt\" <widely>" : "Felt by nobody, it's said"
    )
  }
}

struct Page: Sendable {
  let rows: [Row]
}
