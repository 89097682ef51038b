import CounterData
public import ImmutableUI

extension Content: Previewed {
  public static var previews: [Preview<Self>] {
    [
      Preview("Zero", in: PreviewStore(CounterState(0))),
      Preview("Below zero", in: PreviewStore(CounterState(-12))),
      Preview("As far as it goes", in: PreviewStore(CounterState(.max))),
    ]
  }
}
