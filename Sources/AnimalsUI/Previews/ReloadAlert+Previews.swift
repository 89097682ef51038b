import AnimalsData
import ImmutableUI

extension ReloadAlert: Previewed {
  static var previews: [Preview<Self>] {
    [
      Preview("Asks", in: .sample) { ReloadAlert() },
      Preview("While something is being saved", in: .saving) { ReloadAlert() },
    ]
  }
}
