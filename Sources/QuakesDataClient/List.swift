import ArgumentParser
import Foundation
import ImmutableData
import QuakesData
import Terminal

extension QuakesDataClient {
  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lists earthquakes of the database.",
      discussion: "Days and times are in this machine's time zone, which TZ can set."
    )

    @Option(help: "Only the earthquakes of this day, as YYYY-MM-DD.")
    var date: Day?

    @Option(help: "Only those whose place contains this text, ignoring case and accents.")
    var search = ""

    @Option(help: "What to sort by: time or magnitude.")
    var sort = Parameter.time

    @Option(help: "The direction to sort in: forward, the smallest first, or reverse.")
    var order = Order.forward

    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let quakes = try await self.database.withStore { try await $0.fetchShowableQuakes() }
      var rows = self.rows
      rows.insert(all: quakes)
      try self.output.write(Array(rows))
    }

    private var rows: SortedRows<Quake> {
      let search = QuakeSearch(
        self.search, in: self.date?.interval ?? Date.distantPast..<Date.distantFuture)
      let order: SortOrder = self.order == .forward ? .forward : .reverse
      return switch self.sort {
      case .time: .quakes(search, sort: \.time, order: order)
      case .magnitude: .quakes(search, sort: \.magnitude, order: order)
      }
    }
  }

  enum Parameter: String, ExpressibleByArgument, CaseIterable {
    case time
    case magnitude
  }

  enum Order: String, ExpressibleByArgument, CaseIterable {
    case forward
    case reverse
  }

  /// A day of this machine's time zone.
  struct Day: ExpressibleByArgument {
    let interval: Range<Date>

    init?(argument: String) {
      guard let match = argument.wholeMatch(of: /(\d{4})-(\d{2})-(\d{2})/),
        let year = Int(match.output.1), let month = Int(match.output.2),
        let day = Int(match.output.3)
      else { return nil }
      let components = DateComponents(
        timeZone: .current, year: year, month: month, day: day, hour: 12)
      let calendar = Calendar(identifier: .gregorian)
      // A calendar would accept the 30th of February as a day in March.
      guard components.isValidDate(in: calendar), let noon = calendar.date(from: components),
        let interval = calendar.dateInterval(of: .day, for: noon)
      else { return nil }
      self.interval = interval.start..<interval.end
    }
  }
}
