public import AnimalsData
public import ImmutableUI

extension AnimalsState: StoreState {
  public typealias Action = AnimalsAction
}
