import ImmutableRuntime

extension NetworkConditions {
  /// For a person.
  var words: String {
    if self.isOffline { return "offline" }
    var words: [String] = []
    if self.latency > 0 { words.append("\(self.latency) ms slower each way") }
    if self.loss > 0 { words.append("\(self.loss) of 100 are lost (seed \(self.seed))") }
    return words.isEmpty ? "as it is" : words.joined(separator: ", ")
  }
}

extension ShownConnection {
  /// For a person.
  var words: String {
    let lag = self.secondsBehind.map { "behind for \($0) s" } ?? "current"
    let sent = self.sentBytes.map { ", was sent \(($0 + 1_023) / 1_024) kB" } ?? ""
    return "\(lag)\(sent)"
  }
}
