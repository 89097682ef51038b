import CounterData
import ImmutableUI

extension CounterNumber: Previewed {
  static var previews: [Preview<Self>] {
    [
      Preview("Short", in: \Inputs.store, \Inputs.number) { $0.value = 7 },
      Preview("Long", in: \Inputs.store, \Inputs.number) { $0.value = 1_234_567 },
    ]
  }

  /// The fields that can be varied.
  private struct Inputs: LocalState {
    var value = 0

    static let parameters: [Parameter<Self>] = [Parameter("value", \.value)]

    var store: PreviewStore<CounterState> { PreviewStore(CounterState(self.value)) }
    var number: CounterNumber { CounterNumber() }
  }
}
