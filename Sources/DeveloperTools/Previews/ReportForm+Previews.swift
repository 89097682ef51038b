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
    ("You opened /animals?search=qbvwx&all=true", nil),
    (
      "You pressed a button on /animals",
      "animals.ui.animalEditor.onTapAddAnimalButton: id: \"1\", name: \"Qbvwx\""
    ),
    ("You pressed a button on /counter, and it was refused", nil),
  ].map { (text: String, detail: String?) in
    ReportLine(time: WindowEnvironment.preview.date, text: text, detail: detail)
  }
}
