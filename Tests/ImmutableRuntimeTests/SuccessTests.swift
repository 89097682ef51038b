import HTMLTemplates
import ImmutableData
import ImmutableUI
import Testing
import WindowTesting

@testable import ImmutableRuntime

private struct Notes: StoreState {
  typealias Action = NotesAction

  var status: OperationStatus?
  var newest: String?

  static func status(of action: NotesAction, in state: Self) -> OperationStatus? { state.status }
}

private enum NotesAction: Sendable {
  case onTapSaveButton
  case didAdd(String)
}

private struct NotesPage: Root, Presenter {
  typealias State = Notes

  struct Local: LocalState {
    var note: String?
    var sheet = Presented<String>()

    static let parameters: [Parameter<Self>] = [
      Parameter("note", \.note), Parameter("sheet", \.sheet),
    ]
  }

  static let references: [Reference<Self>] = [
    .success(of: \.sheet) { local, _, state in local.note = state.newest }
  ]

  init(_ local: Local) {}

  static let template = Template<Self>(
    named: "Notes",
    [.form("save", Form<NotesAction>("save") { .onTapSaveButton }, closing: \Local.sheet)])
}

@MainActor struct SuccessTests {
  @Test func `a frame of an older state closes no sheet whose result it does not have`()
    async throws
  {
    let store = Store(initialState: Notes()) { (_: Notes, action: NotesAction) in
      switch action {
      case .onTapSaveButton: Notes(status: .waiting)
      case .didAdd(let note): Notes(status: .success, newest: note)
      }
    }
    let templates = TemplateLibrary(sources: ["Notes": "{{#save}}<button>Save</button>{{/save}}"])
    let app = try TestApp(templates: templates) {
      Provider(store) { Page(NotesPage.self, at: "/notes", title: "Notes") }
    }
    let window = try await app.open("/notes?sheet=add")
    try await window.submit("save")
    let product = try #require(app.windows.allProducts.first as? Product<Notes>)
    let snapshot = product.source.snapshot()

    try store.dispatch(action: .didAdd("one"))
    await product.frame(of: snapshot, isEverythingConcerned: true)
    try await app.frame()

    _ = try window.receive()
    #expect(window.url == "/notes?note=one")
  }
}
