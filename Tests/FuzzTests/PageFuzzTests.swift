import AnimalsData
import AnimalsUI
import Foundation
import HTMLTemplates
import ImmutableData
import ImmutableRuntime
import ImmutableUI
import QuakesData
import QuakesUI
import TestSupport
import Testing

/// Pages of products whose data, local state and refused input are all hostile.
struct PageFuzzTests {
  @Test func `text from users or feeds is never markup in a page`() async throws {
    let pages = try await Self.pages()
    let forms = ["save", "delete", "reload", "refresh", "deleteAll", "sample", "increment", "zq"]
    try await Fuzzing.run("pages", few: 500) { generator in
      let path = generator.pick(["/animals", "/quakes"])
      let items = Inputs.items(using: &generator)
      let form = FormFields(
        Query(
          ["name", "diet", "category", "id", "range", "_token"].map {
            QueryItem(name: $0, value: Inputs.value(using: &generator))
          })
      )
      let message = Inputs.value(using: &generator)
      let refused = RefusedSubmission(
        form: generator.pick(forms),
        fields: form,
        refusal: Refusal(.invalid, message, fields: ["name": message])
      )

      let answer = try await pages.page(
        path,
        query: Query(items),
        environment: WindowEnvironment(timeZone: generator.pick(Inputs.zones), date: Inputs.date),
        refused: generator.once(in: 2) ? refused : nil
      )

      let input = "\(path)?\(Query(items).text) \(form.query.text)"
      switch answer {
      case .redirect(let url):
        guard url.hasPrefix(path), url.utf8.allSatisfy({ (33...126).contains($0) }) else {
          throw Finding("it redirects to \(url)", input)
        }
      case .content(let content):
        let injected = Markup.injected(in: content.html)
        guard injected.isEmpty else { throw Finding("there is the markup \(injected)", input) }
      }
    }
  }

  @Test func `the markup checker finds unescaped text`() {
    let hostile = Markup.hostile.filter { $0.contains("<zq") || $0.contains(" zq") }

    for text in hostile {
      let html = ["<p>\(text)</p>", "<p a=\"\(text)\">", "<p a='\(text)'>", "<p \(text)>"]
      #expect(html.contains { Markup.injected(in: Array($0.utf8)).isEmpty == false }, "\(text)")
    }
    #expect(Markup.injected(in: Array("<p a=\"zq zq='>'\" b='<zq>'>zq &lt;zq></p>".utf8)) == [])
  }

  private static func pages() async throws -> WindowGroup {
    let store = await Store(initialState: Products(), reducer: Products.reduce)
    let animals = await store.scope(
      state: { $0.animals },
      action: { ProductsAction.animals($0) },
      extract: { if case .animals(let action) = $0 { action } else { nil } }
    )
    let quakes = await store.scope(
      state: { $0.quakes },
      action: { ProductsAction.quakes($0) },
      extract: { if case .quakes(let action) = $0 { action } else { nil } }
    )
    let texts = Markup.hostile + ["Mammal", "Dog"]
    try await animals.dispatch(
      action: .data(
        .persistentSession(
          .didFetchCategories(
            result: .success(categories: texts.map { Category(categoryId: $0, name: $0) })
          )
        )
      )
    )
    try await animals.dispatch(
      action: .data(
        .persistentSession(
          .didFetchAnimals(
            result: .success(
              animals: texts.map {
                Animal(animalId: $0, name: $0, diet: .herbivorous, categoryId: $0)
              }
            )
          )
        )
      )
    )
    try await quakes.dispatch(
      action: .data(
        .persistentSession(
          .localStore(
            .didFetchQuakes(
              result: .success(
                quakes: texts.map {
                  Quake(
                    quakeId: $0,
                    magnitude: 3,
                    time: Inputs.date,
                    updated: Inputs.date,
                    name: $0,
                    longitude: 10,
                    latitude: 20
                  )
                }
              )
            )
          )
        )
      )
    )
    return try WindowGroup(
      templates: TemplateLibrary(directory: Fuzzing.root.appending(path: "Templates").path)
    ) {
      Provider(animals) { AnimalsUI.Content.page() }
      Provider(quakes) { QuakesUI.Content.page() }
    }
  }
}
