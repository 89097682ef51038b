import HTMLTemplates

struct Keeper: Sendable {
  var name = "Kim"
  var phone = "555"
  var legs = 2
  var photo = "<img>"
  var isAway = false
  var nickname: String?
  var towns: [String] = []
}

struct Cub: Sendable {
  var name = "Cub"
}

/// A model with a slot of each kind.
struct Animal: Sendable {
  var name = "Ant"
  var nickname: String?
  var legs = 6
  var icon = "<svg></svg>"
  var isWild = false
  var keeper = Keeper()
  var friend: Keeper?
  var cubs: [Cub] = []
}

extension Slots<Keeper> {
  static var keeper: Slots<Keeper> {
    [
      .text("name") { $0.name },
      .text("phone") { $0.phone },
      .optionalText("nickname") { $0.nickname },
      .text("legs") { $0.legs },
      .html("photo") { $0.photo },
      .flag("isAway") { $0.isAway },
      .each("towns", [.text(".") { $0 }]) { $0.towns },
      .writer("title") { keeper, writer in
        writer.write("title=\"")
        writer.escape(keeper.name)
        writer.write("\"")
      },
      .wrapper("frame") { keeper, writer, content in
        writer.write("<div class=\"")
        writer.escape(keeper.name)
        writer.write("\">")
        content(&writer)
        writer.write("</div>")
      },
    ]
  }
}

extension Slots<Cub> {
  static var cub: Slots<Cub> {
    [.text("name") { $0.name }]
  }
}

extension Slot<Animal> {
  /// Rows without attributes or container.
  static var rawCubs: Slot<Animal> {
    .section(
      "raw",
      isEmpty: { $0.cubs.isEmpty },
      { section in
        let row = try section.compile(.cub) { _, _ in }
        return { animal, writer in
          for cub in animal.cubs { row.render(cub, into: &writer) }
        }
      }
    )
  }
}

extension Slots<Animal> {
  static var animal: Slots<Animal> {
    [
      .text("name") { $0.name },
      .optionalText("nickname") { $0.nickname },
      .text("legs") { $0.legs },
      .html("icon") { $0.icon },
      .flag("isWild") { $0.isWild },
      .nested("keeper", .keeper) { $0.keeper },
      .optional("friend", .keeper) { $0.friend },
      .each("cubs", .cub) { $0.cubs },
      .writer("label") { animal, writer in
        writer.write("aria-label=\"")
        writer.escape(animal.name)
        writer.write("\"")
      },
      .wrapper("form") { animal, writer, content in
        writer.write("<form id=\"")
        writer.escape(animal.name)
        writer.write("\">")
        content(&writer)
        writer.write("</form>")
      },
      .rawCubs,
    ]
  }
}

/// What an animal looks like in the template `Animal.mustache`.
func render(
  _ template: String,
  _ animal: Animal = Animal(),
  partials: [String: String] = [:]
) throws -> String {
  try render(template, .animal, animal, partials: partials)
}

/// What a model looks like in the template `Animal.mustache`.
func render<Model>(
  _ template: String,
  _ slots: Slots<Model>,
  _ model: Model,
  partials: [String: String] = [:]
) throws -> String {
  let library = TemplateLibrary(sources: partials.merging(["Animal": template]) { $1 })
  let program = try library.compile("Animal", slots)
  var writer = HTMLWriter()
  program.render(model, into: &writer)
  return String(decoding: writer.bytes, as: UTF8.self)
}

/// Why the template `Animal.mustache` does not compile.
func failure(
  _ template: String,
  partials: [String: String] = [:]
) -> String {
  failure(template, .animal, partials: partials)
}

/// Why the template `Animal.mustache` does not compile.
func failure<Model>(
  _ template: String,
  _ slots: Slots<Model>,
  partials: [String: String] = [:]
) -> String {
  let library = TemplateLibrary(sources: partials.merging(["Animal": template]) { $1 })
  do {
    _ = try library.compile("Animal", slots)
    return "it compiles"
  } catch {
    return "\(error)"
  }
}
