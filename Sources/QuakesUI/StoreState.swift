public import ImmutableUI
public import QuakesData

extension QuakesState: StoreState {
  public typealias Action = QuakesAction
}
