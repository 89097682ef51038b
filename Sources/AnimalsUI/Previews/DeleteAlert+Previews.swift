import AnimalsData
import ImmutableUI

extension DeleteAlert: Previewed {
  static var previews: [Preview<Self>] {
    [
      Preview("Asks", in: .sample, DeleteAlert.init) { $0.sheet.value = .delete("Dog") },
      Preview("Long name", in: .longNames, DeleteAlert.init) { $0.sheet.value = .delete("Long") },
      Preview("Waiting", in: .sample, DeleteAlert.init) { $0.sheet = .waiting(.delete("Dog")) },
      Preview("Not deleted", in: .sample, DeleteAlert.init) {
        $0.sheet = .failed(.delete("Dog"), "The disk is full.")
      },
    ]
  }
}
