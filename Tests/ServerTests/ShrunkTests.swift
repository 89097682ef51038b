import DeveloperTools
import Foundation
import HTMLTemplates
import ImmutableData
import ImmutableRuntime
import ImmutableUI
import Testing
import WindowTesting

@testable import Server

/// The least that two builds treated differently, written by `--shrink`. Give it a name.
@MainActor struct ShrunkTests {
  private func read<Value: Decodable>(_ json: String) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(json.utf8))
  }

  @Test func `what the old build did`() throws {
    let store = Store(
      initialState: try self.read(
        #"{"animals":{"animals":{"added":{},"ended":{"generations":{},"newest":0,"newestCount":0},"queue":{},"table":[]},"categories":{"data":{}},"limit":10000},"counter":{"value":0},"quakes":{"quakes":{"deletedIDs":{"isKept":false,"times":{}},"deletion":{"number":0,"table":[]},"limit":250000,"skipped":0,"table":[]}}}"#
      ) as AppState,
      reducer: AppReducer.reducer
    )
    let pages = AppPages(store)
    let app = try TestApp(templates: TemplateLibrary(directory: "Templates")) {
      pages.providers()
    }
    try store.dispatch(
      action: self.read(
        #"{"animals":{"_0":{"data":{"_0":{"persistentSession":{"_0":{"didFetchAnimals":{"result":{"success":{"animals":[{"animalId":"Dog","categoryId":"Mammal","diet":"Carnivore","name":"Dog"},{"animalId":"Cat","categoryId":"Mammal","diet":"Carnivore","name":"Cat"},{"animalId":"Kangaroo","categoryId":"Mammal","diet":"Herbivore","name":"Red kangaroo"},{"animalId":"Bibbon","categoryId":"Mammal","diet":"Herbivore","name":"Southern gibbon"},{"animalId":"Sparrow","categoryId":"Bird","diet":"Omnivore","name":"House sparrow"},{"animalId":"Newt","categoryId":"Amphibian","diet":"Carnivore","name":"Newt"}]}}}}}}}}}}"#
      ))
    try store.dispatch(
      action: self.read(
        #"{"animals":{"_0":{"data":{"_0":{"persistentSession":{"_0":{"didMarkAnimal":{"animalId":"Dog","result":{"success":{"animal":{"animalId":"Dog","categoryId":"Mammal","diet":"Carnivore","isFavorite":true,"name":"Dog"}}}}}}}}}}}"#
      ))
    #expect(
      app.regions(
        of: "/animals/Dog",
        in: store.snapshot().state,
        environment: WindowEnvironment(
          timeZone: try #require(TimeZone(identifier: "Etc/UTC")),
          date: Date(timeIntervalSinceReferenceDate: 817128206.278504),
          visitor: Visitor(rawValue: "JCE08RB9ueX4NTezO_TiSQ")
        )
      )["detail"] == """
        <header class="bar">
          <a class="back" data-set="animal=&amp;sheet=&amp;was=&amp;typed=">Animals</a>
          <h2><bdi>Dog</bdi></h2>
          <form method="post" data-form="markInDetail" data-policy="repeatable" data-key="mark Dog" class="marks"><input type="hidden" name="_form" value="markInDetail" autocomplete="off"><button type="submit" name="row" value="unstar~Dog" data-key="star" class="quiet star" aria-pressed="true" aria-label="Favorite Dog" title="Remove Dog from favorites" aria-keyshortcuts="f"></button><p data-error role="alert"></p></form>
        </header>

        <div class="choices">
          <form method="post" enctype="multipart/form-data" data-form="setPicture" data-policy="once" data-key="setPicture Dog" data-upload=""><input type="hidden" name="_form" value="setPicture" autocomplete="off"><input type="hidden" name="animalId" value="Dog" autocomplete="off">
          <label class="button quiet choose" data-keys="Ctrl V = Paste a picture">Add a picture <input class="hidden" aria-invalid="false" type="file" required accept="image/jpeg,image/png,image/gif,image/webp" data-byte-limit="8388608" data-too-large="This picture has more than 8 MB. Choose a smaller one." data-too-many="Add one picture at a time." name="picture"></label>
          <button type="submit" class="quiet upload">Upload</button><p data-error role="alert"></p></form>
        \u{20}\u{20}
        </div>


        <dl class="fields">
          <div><dt>Category</dt><dd>Mammal</dd></div>
          <div><dt>Diet</dt><dd>Carnivore</dd></div>
        </dl>
        <footer class="bar">
          <a class="button" data-set="sheet=edit&amp;was=Carnivore%7EMammal%7EDog" aria-keyshortcuts="e">Edit<span class="hidden"> <bdi>Dog</bdi></span></a>
          <form method="post" data-form="deleteInDetail" data-policy="once" data-key="delete Dog"><input type="hidden" name="_form" value="deleteInDetail" autocomplete="off"><input type="hidden" name="animalId" value="Dog" autocomplete="off"><button type="submit" class="danger">Delete<span class="hidden"> <bdi>Dog</bdi></span></button><p data-error role="alert"></p></form>
        </footer>

        """
    )
  }
}
