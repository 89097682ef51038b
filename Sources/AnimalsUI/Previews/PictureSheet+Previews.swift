import AnimalsData
import ImmutableUI

extension PictureSheet: Previewed {
  static var previews: [Preview<Self>] {
    [
      Preview("A picture", in: .pictured, PictureSheet.init) {
        $0.selectedAnimalId = "Dog"
        $0.sheet.value = .picture
      }
    ]
  }
}
