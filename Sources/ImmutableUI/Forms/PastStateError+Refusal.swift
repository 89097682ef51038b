package import ImmutableData

extension PastStateError: RefusalConvertible {
  package var refusal: Refusal {
    Refusal(
      .conflict,
      "A developer is showing an earlier state of this site, so nothing can be changed now. "
        + "Nothing was lost; try again when the current state is back.")
  }
}
