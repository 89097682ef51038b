import ArgumentParser

/// A duration on the command line, such as `90s`, `5m`, `2h` or `1d`.
struct Interval: ExpressibleByArgument {
  let duration: Duration
  private let text: String

  init?(argument: String) {
    let units = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
    // A few digits are enough for any reasonable duration.
    guard let match = argument.wholeMatch(of: /([0-9]{1,6})([smhd])/),
      let count = Int(match.output.1), let unit = units[String(match.output.2)]
    else { return nil }
    self.duration = .seconds(count * unit)
    self.text = argument
  }

  var defaultValueDescription: String { self.text }
}
