import AnimalsData
import AnimalsUI
import CounterData
import CounterUI
import Fixture
import Foundation
import HTMLTemplates
import ImmutableData
import ImmutableUI
import QuakesData
import QuakesUI
import TestSupport

/// The state of all products, as a server has it.
struct Products: Sendable {
  var counter = CounterState()
  var animals = AnimalsState()
  var quakes = QuakesState()
  var fixture = FixtureState()
  var stock = Stock()

  static func reduce(_ state: Self, _ action: ProductsAction) throws -> Self {
    var state = state
    switch action {
    case .counter(let action):
      state.counter = try CounterReducer.reduceOrRefuse(state: state.counter, action: action)
    case .animals(let action):
      state.animals = try AnimalsReducer.reduceOrRefuse(state: state.animals, action: action)
    case .quakes(let action):
      state.quakes = try QuakesReducer.reduce(state: state.quakes, action: action)
    case .fixture(let action):
      state.fixture = try FixtureReducer.reduce(state: state.fixture, action: action)
    case .stock(let action): state.stock = try Stock.reduce(state.stock, action)
    }
    return state
  }
}

enum ProductsAction: Sendable {
  case counter(CounterAction)
  case animals(AnimalsAction)
  case quakes(QuakesAction)
  case fixture(FixtureAction)
  case stock(Stock.Action)
}

extension WarmPages.Subject {
  private static let products = TemplateLibrary(
    directory: Fuzzing.root.appending(path: "Templates").path)

  static let counter = Self(
    templates: Self.products,
    provide: { root in
      let store = root.scope(
        state: { $0.counter }, action: { ProductsAction.counter($0) },
        extract: { if case .counter(let action) = $0 { action } else { nil } })
      return Provider(store) { CounterUI.Content.page() }
    },
    begin: { generator in
      var products = Products()
      products.counter = CounterState(generator.pick([0, 0, 999_998, .max - 1]))
      return products
    },
    actions: { generator, _ in
      generator.pick([
        [.counter(.didTapIncrementButton)], [.counter(.didTapDecrementButton)],
        [.counter(.didTapIncrementButton), .counter(.didTapDecrementButton)],
        [.stock(.didTick)],
      ])
    },
    restore: { _, _ in [] },
    url: { _ in "/counter" }
  )

  static let fixture = Self(
    templates: TemplateLibrary(
      directory: Fuzzing.root.appending(path: "Tests/Fixture/Templates").path),
    provide: { root in
      let store = root.scope(
        state: { $0.fixture }, action: { ProductsAction.fixture($0) },
        extract: { if case .fixture(let action) = $0 { action } else { nil } })
      return Provider(store) {
        FixtureContent.page
        FixtureContent.itemsPage
        Songs.page
        Board.page
        Guests.page
      }
    },
    begin: { _ in Products() },
    actions: { generator, products in
      let ids = ["a", "b", "c", "d"]
      let id = generator.pick(ids)
      let name = generator.pick(["Ant", "Bee", "Cat", "<Dog>"])
      let songs = products.fixture.songs.allRows.sorted { $0.place < $1.place }
      let index = Int.random(in: 0..<songs.count, using: &generator)
      let move = RowMove(up: index, in: songs) ?? RowMove(down: index, in: songs)
      let action: FixtureAction =
        switch Int.random(in: 0..<9, using: &generator) {
        case 0, 5: .ui(.onTapTickButton)
        case 1, 2: .ui(.onTapAddButton(id: id, name: name))
        case 3: .ui(.onTapDeleteButton(id: id))
        case 4:
          .ui(
            .onTapMoveButton(
              id: generator.pick(["A", "B", "C"]), column: generator.pick(Card.Column.allCases)))
        case 6: .data(.didLoad(items: ids.map { Item(id: $0, name: "\(name) \($0)") }))
        case 7: .data(.didRename(id: id, name: name))
        default: move.map { .ui(.onTapArrangeButton($0)) } ?? .ui(.onTapTickButton)
        }
      return [.fixture(action)]
    },
    restore: { _, old in [.fixture(.data(.didLoad(items: old.fixture.items)))] },
    url: { generator in
      let query = Self.query(
        [
          "search": ["a", "bee"], "order": ["reverse"], "selected": ["a", "b", "zz"],
        ], &generator)
      return generator.pick([
        "/fixture\(query)", "/fixture\(query)", "/items/\(generator.pick(["a", "b"]))", "/songs",
        "/board", "/guests",
      ])
    }
  )

  static let stock = Self(
    templates: StockPage.templates,
    provide: { root in
      let store = root.scope(
        state: { $0.stock }, action: { ProductsAction.stock($0) },
        extract: { if case .stock(let action) = $0 { action } else { nil } })
      return Provider(store) { StockPage.page }
    },
    begin: { generator in
      var products = Products()
      for _ in 0..<12 { products.stock.wares.insert([Self.ware(&generator)]) }
      return products
    },
    actions: { generator, products in
      let ware = Self.ware(&generator)
      switch Int.random(in: 0..<12, using: &generator) {
      case 0: return [.stock(.didRemove(ware.id))]
      case 1: return [.stock(.didBin(ware.id))]
      case 2: return [.stock(.didTakeBack(ware.id))]
      case 3: return [.stock(.didMark(ware.id))]
      case 4: return [.stock(.didTick)]
      case 5: return [.counter(.didTapIncrementButton)]
      case 6 where generator.once(in: 3):
        return [.stock(.didReplace((0..<10).map { _ in Self.ware(&generator) }))]
      case 7:
        return [.stock(.didSet((0..<8).map { _ in Self.ware(&generator) }))]
      default:
        // Only one of its values.
        guard var known = products.stock.wares[ware.id] else { return [.stock(.didSet([ware]))] }
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: known.group = ware.group
        case 1: known.name = ware.name
        default: known.price = ware.price
        }
        return [.stock(.didSet([known]))]
      }
    },
    restore: { _, old in [.stock(.didReplace(old.stock.wares.allRows))] },
    url: { generator in
      let query = Self.query(
        [
          "group": ["0", "1", "2"], "search": ["a", "b"], "price": ["true"],
          "from": ["3.5", "8.5", "11.10", "99.5"], "selected": (0..<6).map { "\($0)" },
          "zoom": ["2"],
        ], &generator)
      return "/stock\(query)"
    }
  )

  private static func ware(_ generator: inout SeededGenerator) -> Stock.Ware {
    Stock.Ware(
      id: Int.random(in: 0..<(generator.once(in: 2) ? 6 : 16), using: &generator),
      group: Int.random(in: 0..<4, using: &generator),
      name: generator.pick(["apple", "banana", "cherry", "kiwi"]),
      price: Int.random(in: 0..<12, using: &generator))
  }

  static let animals = Self(
    templates: Self.products,
    provide: { root in
      let store = root.scope(
        state: { $0.animals }, action: { ProductsAction.animals($0) },
        extract: { if case .animals(let action) = $0 { action } else { nil } })
      return Provider(store) { AnimalsUI.Content.page() }
    },
    begin: { generator in
      var products = Products()
      guard generator.once(in: 8) == false else { return products }
      let animals = (0..<5).map { _ in Self.animal(&generator) }
      products.animals.animals.table.insert(animals)
      products.animals.animals.status = .success
      products.animals.categories.data.insert(Self.categories)
      products.animals.categories.status = .success
      return products
    },
    actions: { generator, products in
      let animal = Self.animal(&generator)
      let known = products.animals.animals.data[animal.id]
      let id = animal.id
      func data(_ action: AnimalsAction.Data.PersistentSession) -> ProductsAction {
        .animals(.data(.persistentSession(action)))
      }
      func ui(_ action: AnimalsAction.UI) -> ProductsAction { .animals(.ui(action)) }
      switch Int.random(in: 0..<22, using: &generator) {
      case 0: return [ui(.animalList(.onTapFavoriteButton(animalId: id, isFavorite: true)))]
      case 1, 2, 3:
        guard let known else { fallthrough }
        var changed = known
        changed = Animal(
          animalId: id, name: known.name, diet: known.diet, categoryId: known.categoryId,
          isFavorite: known.isFavorite == false, position: known.position)
        let begin = ui(.animalDetail(.onTapFavoriteButton(animalId: id, isFavorite: true)))
        let end = data(.didMarkAnimal(animalId: id, result: .success(animal: changed)))
        return generator.once(in: 2) ? [begin, end] : [data(.didChangeElsewhere(.saved(changed)))]
      case 4: return [ui(.animalDetail(.onTapDeleteSelectedAnimalButton(animalId: id)))]
      case 5:
        return [
          ui(.animalDetail(.onTapDeleteSelectedAnimalButton(animalId: id))),
          data(.didDeleteAnimal(animalId: id, result: .success(animal: animal))),
        ]
      case 6: return [data(.didDeleteAnimal(animalId: id, result: .failure(error: "Full.")))]
      case 7: return [data(.didMarkAnimal(animalId: id, result: .failure(error: "Full.")))]
      case 8: return [data(.didUpdateAnimal(animalId: id, result: .success(animal: animal)))]
      case 9: return [data(.didUpdateAnimal(animalId: id, result: .failure(error: "Full.")))]
      case 10:
        return [
          ui(
            .animalEditor(
              .onTapAddAnimalButton(
                id: "new", name: animal.name, diet: animal.diet, categoryId: animal.categoryId))),
          data(.didAddAnimal(id: "new", result: .success(animal: animal))),
        ]
      case 11: return [data(.didChangeElsewhere(.deleted(id)))]
      case 12:
        let animals = (0..<6).map { _ in Self.animal(&generator) }
        return [
          data(
            .didChangeElsewhere(
              .replaced(
                animals: animals, categories: generator.some(Self.categories, 1...3))))
        ]
      case 13: return [ui(.categoryList(.onTapRefreshButton))]
      case 14:
        let animals = (0..<6).map { _ in Self.animal(&generator) }
        return [
          ui(.categoryList(.onTapRefreshButton)),
          data(.didRefresh(result: .success(animals: animals, categories: Self.categories))),
        ]
      case 15: return [data(.didRefresh(result: .failure(error: "No network.")))]
      case 16:
        return [
          generator.once(in: 2)
            ? ui(.categoryList(.onTapDismissFailureButton))
            : ui(.animalList(.onTapDismissFailureButton))
        ]
      case 17: return [data(.didFetchAnimals(result: .success(animals: [animal])))]
      case 18: return [.counter(.didTapIncrementButton)]
      default: return [data(.didChangeElsewhere(.saved(animal)))]
      }
    },
    restore: { _, old in
      let change = AnimalsAction.Data.PersistentSession.didChangeElsewhere(
        .replaced(
          animals: old.animals.animals.table.allRows,
          categories: Array(old.animals.categories.data.values)))
      return [.animals(.data(.persistentSession(change)))]
    },
    url: { generator in
      let ids = ["a0", "a1", "a2", "a3", "a9"]
      let query = Self.query(
        [
          "all": ["true"], "search": ["a", "cat", "É"], "favorites": ["true"],
          "category": ["Mammal", "Bird", "Fish"], "order": ["own"], "from": ["a1.2", "a2"],
          "sheet": ["add", "edit", "picture", "reload"], "typed": ["Ant", "cat"],
        ], &generator)
      return "/animals\(generator.once(in: 2) ? "" : "/" + generator.pick(ids))\(query)"
    }
  )

  private static let categories = ["Mammal", "Bird", "Fish"].map {
    AnimalsData.Category(categoryId: $0, name: $0)
  }

  private static func animal(_ generator: inout SeededGenerator) -> Animal {
    Animal(
      animalId: generator.pick(["a0", "a1", "a2", "a3", "a4", "a5"]),
      name: generator.pick(["Ant", "Bee", "Cat", "Élan", "Zebra"]),
      diet: generator.pick(Animal.Diet.allCases),
      categoryId: generator.pick(["Mammal", "Bird", "Fish"]),
      isFavorite: generator.once(in: 3),
      position: generator.once(in: 3) ? RowPosition(generator.pick(["40", "80", "8040"])) : nil)
  }

  static let quakes = Self(
    templates: Self.products,
    provide: { root in
      let store = root.scope(
        state: { $0.quakes }, action: { ProductsAction.quakes($0) },
        extract: { if case .quakes(let action) = $0 { action } else { nil } })
      return Provider(store) { QuakesUI.Content.page() }
    },
    begin: { generator in
      var products = Products()
      products.quakes = QuakesState(
        remembersDeleted: generator.once(in: 2), limit: generator.once(in: 3) ? 6 : nil)
      guard generator.once(in: 8) == false else { return products }
      products.quakes.quakes.table.insert((0..<6).map { _ in Self.quake(&generator) })
      products.quakes.quakes.status = .success
      return products
    },
    actions: { generator, products in
      let quake = Self.quake(&generator)
      func list(_ action: QuakesAction.UI.QuakeList) -> ProductsAction {
        .quakes(.ui(.quakeList(action)))
      }
      func local(_ action: QuakesAction.Data.PersistentSession.LocalStore) -> ProductsAction {
        .quakes(.data(.persistentSession(.localStore(action))))
      }
      func remote(_ action: QuakesAction.Data.PersistentSession.RemoteStore) -> ProductsAction {
        .quakes(.data(.persistentSession(.remoteStore(action))))
      }
      func some() -> [Quake] {
        (0..<Int.random(in: 0..<5, using: &generator)).map { _ in Self.quake(&generator) }
      }
      switch Int.random(in: 0..<18, using: &generator) {
      case 0: return [list(.onTapRefreshQuakesButton(range: .allDay))]
      case 1: return [list(.onTapDeleteSelectedQuakeButton(quakeId: quake.id))]
      case 2 where generator.once(in: 2): return [list(.onTapDeleteAllQuakesButton)]
      case 3:
        return [list(.onTapRestoreQuakesButton(deletion: products.quakes.quakes.deletion.number))]
      case 4: return [list(.onTapRestoreQuakeButton(quake))]
      case 5: return [list(.onTapCancelRefreshButton)]
      case 6: return [list(.onTapDismissFailureButton)]
      case 7: return [local(.didFailToSaveQuakes(error: "Full."))]
      case 8: return [local(.didFetchQuakesAgain(error: nil, result: .success(quakes: some())))]
      case 9: return [local(.didChangeElsewhere(saved: some(), deleted: [quake.id]))]
      case 10: return [remote(.didFetchQuakes(result: .failure(error: "No network.")))]
      case 11: return [remote(.didSkipFeatures(count: Int.random(in: 0..<3, using: &generator)))]
      case 12: return [local(.didFetchQuakes(result: .success(quakes: some())))]
      case 13:
        // The same again.
        return [
          remote(.didFetchQuakes(result: .success(quakes: products.quakes.quakes.table.allRows)))
        ]
      case 14: return [.counter(.didTapIncrementButton)]
      default:
        return [
          list(.onTapRefreshQuakesButton(range: .allDay)),
          remote(.didFetchQuakes(result: .success(quakes: some()))),
        ]
      }
    },
    restore: { new, old in
      let (new, old) = (new.quakes.quakes.table, old.quakes.quakes.table)
      let added = new.allRows.map(\.id).filter { old[$0] == nil }
      return [
        .quakes(
          .data(
            .persistentSession(
              .localStore(.didChangeElsewhere(saved: old.allRows, deleted: added)))))
      ]
    },
    url: { generator in
      let query = Self.query(
        [
          "search": ["san", "tonga"], "date": ["2018-02-06", "2018-02-08"],
          "magnitude": ["2.5", "4.5"], "order": ["forward"], "sort": ["magnitude"],
          "from": ["q1.2"], "list": ["q0", "q1", "q2", "q9"], "map": ["q0", "q1"],
          "shared": ["q1"], "charts": ["true"], "camera": ["10_20_4"], "until": ["10:30"],
        ], &generator)
      return "/quakes\(query)"
    }
  )

  private static func quake(_ generator: inout SeededGenerator) -> Quake {
    let day = generator.pick([-86_400.0, 0, 0, 0, 86_400])
    let age = generator.pick([0.0, 60, 120])
    return Quake(
      quakeId: generator.pick(["q0", "q1", "q2", "q3", "q4", "q5", "q6", "q7"]),
      magnitude: generator.pick([0, 0.5, 2.5, 3, 4.5, 5.25, 7.5]),
      time: Inputs.date.addingTimeInterval(day + generator.pick([-30_000, 0, 60, 20_000])),
      updated: Inputs.date.addingTimeInterval(age),
      name: generator.pick(["San José, Costa Rica", "Tonga", "12 km N of Tonga"]),
      longitude: generator.pick([-175, -84, 10, 179.5]),
      latitude: generator.pick([-21, 10, 61]),
      // A feed changes it together with the time of the update.
      depth: age > 0 ? age : nil)
  }

  /// Some of the parameters, each with one of its values.
  private static func query(
    _ parameters: [String: [String]],
    _ generator: inout SeededGenerator
  ) -> String {
    let items = parameters.sorted { $0.key < $1.key }.compactMap { name, values in
      generator.once(in: 3) ? QueryItem(name: name, value: generator.pick(values)) : nil
    }
    return items.isEmpty ? "" : "?" + Query(items).text
  }
}
