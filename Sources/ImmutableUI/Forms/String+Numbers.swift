extension String {
  /// The numbers in a text of a fixed form: 2018 and 2 in `2018-02`, whose form is `0000-00`.
  ///
  /// A regular expression would be compiled for each text, which takes 100 µs, and each page reads
  /// its local state from its URL.
  ///
  /// - Parameter form: `0` stands for a digit, and every other ASCII character for itself.
  /// - Returns: `nil` if the text has another form.
  func numbers(as form: String) -> [Int]? {
    guard self.utf8.count == form.utf8.count else { return nil }
    var (numbers, number): ([Int], Int) = ([], 0)
    for (byte, expected) in zip(self.utf8, form.utf8) {
      if expected == UInt8(ascii: "0") {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        number = number * 10 + Int(byte - UInt8(ascii: "0"))
      } else {
        guard byte == expected else { return nil }
        numbers.append(number)
        number = 0
      }
    }
    return numbers + [number]
  }
}
