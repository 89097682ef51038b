package import ImmutableData

extension PastStateError: RefusalConvertible {
  package var refusal: Refusal {
    Refusal(
      .conflict,
      "A developer has put everything back to an earlier state, so nothing can be changed now. "
        + "Nothing was lost; try again when they have gone back to now.")
  }
}
