/// A pause before something is looked at again that nobody signals. A loop that only yields takes a
/// core from what it waits for.
public func letOthersGoOn() async {
  try? await Task.sleep(for: .milliseconds(5))
}
