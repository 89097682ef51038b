import AnimalsData
import ImmutableUI

extension CategoryList: Previewed {
  static let surroundings = Surroundings.pane

  static var previews: [Preview<Self>] {
    [
      Preview("With animals", in: .starred) { CategoryList() },
      Preview("Without animals", in: .empty) { CategoryList() },
      Preview("Waiting", in: .waiting) { CategoryList() },
      Preview("Failed", in: .failed) { CategoryList() },
    ]
  }
}
