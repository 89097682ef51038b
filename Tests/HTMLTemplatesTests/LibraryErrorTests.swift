import Foundation
import HTMLTemplates
import Testing

/// Templates that are not there, or not allowed to be.
struct LibraryErrorTests {
  @Test(arguments: [
    ("a\n {{>Nowhere}}", "2:2"), ("{{<Nowhere}}{{/Nowhere}}", "1:1"),
  ])
  func `a missing partial or layout is an error`(template: String, position: String) {
    #expect(
      failure(template) == "Animal.mustache:\(position): there is no template \"Nowhere\": "
        + "expected the file Nowhere.mustache"
    )
  }

  @Test func `a missing template is an error`() {
    let error = #expect(throws: TemplateError.self) {
      try TemplateLibrary(sources: [:]).compile("animals/List", .animal)
    }

    #expect(
      error?.description == "animals/List.mustache:1:1: there is no template \"animals/List\": "
        + "expected the file animals/List.mustache"
    )
  }

  @Test func `a missing folder is named, and where it was looked for`() {
    let here = FileManager.default.currentDirectoryPath
    for (folder, place) in [("Nowhere", " in \(here)"), ("/nowhere/templates", "")] {
      let error = #expect(throws: TemplateError.self) {
        try TemplateLibrary(directory: folder).compile("animals/List", .animal)
      }

      #expect(
        error?.description == "animals/List.mustache:1:1: there is no template \"animals/List\": "
          + "expected the file \(folder)/animals/List.mustache, but there is no folder "
          + "\(folder)\(place). Start the program in the folder that has it, or name another."
      )
    }
  }

  @Test(arguments: [
    ("{{>Animal}}", [:], "Animal.mustache:1:1", "Animal > Animal"),
    (
      "{{>A}}", ["A": "\n{{#isWild}}{{>B}}{{/isWild}}", "B": "{{>A}}"],
      "B.mustache:1:1", "Animal > A > B > A"
    ),
    (
      "{{<A}}{{$x}}{{>Animal}}{{/x}}{{/A}}", ["A": "{{$x}}{{/x}}"],
      "Animal.mustache:1:13", "Animal > Animal"
    ),
    ("{{>A}}", ["A": "a{{<A}}{{/A}}"], "A.mustache:1:2", "Animal > A > A"),
    (
      "{{<A}}{{$x}}{{>B}}{{/x}}{{/A}}",
      ["A": "{{$x}}{{/x}}", "B": "{{<A}}{{$x}}{{>B}}{{/x}}{{/A}}"],
      "B.mustache:1:13", "Animal > B > B"
    ),
  ])
  func `a template cannot include itself`(
    template: String,
    partials: [String: String],
    position: String,
    path: String
  ) {
    let name = path.split(separator: " ").last ?? ""

    #expect(
      failure(template, partials: partials)
        == "\(position): the template \"\(name)\" includes itself: \(path)"
    )
  }

  @Test(arguments: ["../Animal", "a/../../b", "..", "/etc/Animal"])
  func `a template outside the folder is an error`(name: String) {
    let partials = [name: "secret"]
    let message = "the template \"\(name)\" lies outside the folder"

    #expect(failure("{{>\(name)}}", partials: partials) == "Animal.mustache:1:1: \(message)")
    #expect(
      failure("{{<\(name)}}{{/\(name)}}", partials: partials) == "Animal.mustache:1:1: \(message)"
    )
    #expect(
      #expect(throws: TemplateError.self) {
        try TemplateLibrary(sources: partials).compile(name, .animal)
      }?.description == "\(name).mustache:1:1: \(message)"
    )
  }

  @Test func `an error in a partial or a block names the file that it is in`() {
    let partials = ["A": "\n{{nme}}", "B": "{{$x}}{{/x}}"]
    let known = "cubs, form, friend, icon, isWild, keeper, label, legs, name, nickname, raw."

    #expect(
      failure("{{>A}}", partials: partials) == "A.mustache:2:1: there is no slot \"nme\"; "
        + "did you mean \"name\"? There are: \(known)"
    )
    #expect(
      failure("{{<B}}{{$x}}{{nme}}{{/x}}{{/B}}", partials: partials)
        == "Animal.mustache:1:13: there is no slot \"nme\"; did you mean \"name\"? "
        + "There are: \(known)"
    )
  }
}

/// Templates in files.
struct LibraryFileTests {
  @Test func `a library of a folder reads its files`() throws {
    let folder = try TemporaryFolder(files: [
      "Animal.mustache": "{{>parts/Name}}", "parts/Name.mustache": "<b>{{name}}</b>\n",
    ])

    let program = try TemplateLibrary(directory: folder.path).compile("Animal", .animal)
    var writer = HTMLWriter()
    program.render(Animal(), into: &writer)

    #expect(writer.html == "<b>Ant</b>\n")
  }

  @Test func `the first folder that has a template gives it`() throws {
    let first = try TemporaryFolder(files: ["Animal.mustache": "{{>Name}}"])
    let second = try TemporaryFolder(files: ["Animal.mustache": "?", "Name.mustache": "{{name}}"])
    let library = TemplateLibrary(directories: [first.path, second.path])

    let program = try library.compile("Animal", .animal)
    var writer = HTMLWriter()
    program.render(Animal(), into: &writer)

    #expect(writer.html == "Ant")
  }

  @Test func `a missing file is reported with its folder`() throws {
    let folder = try TemporaryFolder(files: ["Animal.mustache": "\n{{>parts/Name}}"])

    let error = #expect(throws: TemplateError.self) {
      try TemplateLibrary(directory: folder.path).compile("Animal", .animal)
    }

    #expect(
      error?.description == "Animal.mustache:2:1: there is no template \"parts/Name\": "
        + "expected the file \(folder.path)/parts/Name.mustache"
    )
  }
}

/// A folder that is gone when its last user is.
private final class TemporaryFolder {
  let path = FileManager.default.temporaryDirectory
    .appending(path: "HTMLTemplatesTests-\(UUID().uuidString)").path

  init(files: [String: String]) throws {
    for (name, text) in files {
      let url = URL(fileURLWithPath: self.path).appending(path: name)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      try text.write(to: url, atomically: true, encoding: .utf8)
    }
  }

  deinit {
    try? FileManager.default.removeItem(atPath: self.path)
  }
}
