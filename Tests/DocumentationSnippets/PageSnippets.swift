import AnimalsData
import AnimalsUI
import Foundation
import HTMLTemplates
import ImmutableData
import ImmutableServer
import ImmutableUI
import Pictures

// docs/PRODUCTS.md, *Pictures* and *Paths, titles and links*.

enum NotesAction: Sendable {
  case ui(UI)

  enum UI: Sendable {
    case onChoosePhoto(noteId: String, photo: Picture)
  }
}

enum NoteEditor {
  static let noteId = Field<String>.hidden("noteId")

  static let photo = Field.picture("photo", "Choose a picture.")

  static let setPhoto = Form<NotesAction>("setPhoto", fields: noteId, photo) { noteId, photo in
    .ui(.onChoosePhoto(noteId: noteId, photo: photo))
  }
}

func keepPictures(_ configuration: inout WebServerConfiguration) throws {
  configuration.pictures = try PictureStore(
    directory: URL(filePath: "data/pictures"),
    shrinker: .besideThisProgram()
  )
}

struct TicketsState: StoreState {
  typealias Action = NotesAction

  var nextNumber = 1
}

struct TicketPage: Root {
  typealias State = TicketsState

  struct Local: LocalState {
    var number: Int?

    static let parameters: [Parameter<Self>] = [Parameter("number", \.number)]
  }

  init(_ local: Local) {}

  static func wasDeleted(_ local: Local, _ state: TicketsState) -> Bool {
    local.number.map { $0 < state.nextNumber } ?? false
  }

  var body: some Component {
    PageSnippets.AnimalRow(animalId: "Dog")
  }
}

enum PageSnippets {
  struct Content: Root {
    typealias State = AnimalsState

    let local: AnimalsLocal

    init(_ local: AnimalsLocal) {
      self.local = local
    }

    private var animal: Animal? { nil }

    public var title: String? {
      self.animal.map { "\($0.name) · Animals" }
    }

    static let assets: [Asset] = [.style("map.css"), .module("camera.js")]  // Public/QuakesUI/…

    static func page() -> Page<Self> {
      Page(Content.self, at: "/animals/:animal?", title: "Animals")
    }

    var body: some Component {
      AnimalRow(animalId: "Dog")
    }
  }

  struct AnimalRow: Presenter {
    let animalId: Animal.ID

    static let template = Template<Self>([
      .link("animal", to: Content.page()) { local, row in local.selectedAnimalId = row.animalId }
    ])
  }

  static func makeURL() -> String {
    Content.page().url { $0.selectedAnimalId = "Dog" }  // "/animals/Dog"
  }
}
