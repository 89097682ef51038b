import Foundation
import ImmutableUI

extension ReportForm: Previewed {
  static let surroundings = Surroundings.page

  static var previews: [Preview<Self>] {
    [
      Preview("Nothing done", in: .reports) { Self.sample([]) },
      Preview("Some done", in: .reports) { Self.sample(ReportLine.samples, others: 2) },
      Preview("Something of others", in: .reports) { Self.sample(ReportLine.samples, others: 1) },
      Preview("Sent", in: .reports) { Self.thanks },
    ]
  }

  private static func sample(_ lines: [ReportLine], others: Int = 0) -> Self {
    var excerpt = ReportExcerpt()
    excerpt.lines = lines
    excerpt.others = others
    let span = ReportSpan(journal: "here", first: 1, last: 9)
    return Self(excerpt: excerpt, span: span, timeZone: .gmt)
  }
}

extension PreviewStore<ReportForm.State> {
  static var reports: Self { PreviewStore(ReportForm.State()) }
}

extension ReportLine {
  static let samples = [
    ("You opened Animals.", "/animals?search=qbvwx&all=true"),
    (
      "You pressed a button on Animals. It carries: id, name, diet, category id.",
      """
      /animals?all=true
      animals.ui.animalEditor.onTapAddAnimalButton: id: "1", name: "Qbvwx", diet: Carnivore, \
      categoryId: "Mammal"
      """
    ),
    ("You pressed a button on Counter, and it was refused.", "/counter"),
  ].map { text, exact in
    ReportLine(time: WindowEnvironment.preview.date, text: text, exact: exact)
  }
}
