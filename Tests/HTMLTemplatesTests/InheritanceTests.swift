import HTMLTemplates
import Testing

struct InheritanceTests {
  @Test func `a layout shows its own blocks unless they are given`() throws {
    let layout = "<h1>{{$title}}Animals{{/title}}</h1>{{$content}}none{{/content}}"

    let defaults = try render("{{<Layout}}{{/Layout}}", partials: ["Layout": layout])
    let given = try render(
      "{{<Layout}}{{$content}}{{name}}{{/content}}{{/Layout}}",
      partials: ["Layout": layout]
    )

    #expect(defaults == "<h1>Animals</h1>none")
    #expect(given == "<h1>Animals</h1>Ant")
  }

  @Test func `a template with blocks is a page of its own too`() throws {
    #expect(try render("<p>{{$text}}{{name}}{{/text}}</p>") == "<p>Ant</p>")
  }

  @Test func `text between the blocks is dropped`() throws {
    let html = try render(
      "{{<Layout}} a {{$text}}b{{/text}} c {{name}} {{/Layout}}",
      partials: ["Layout": "<p>{{$text}}{{/text}}</p>"]
    )

    #expect(html == "<p>b</p>")
  }

  @Test func `a block that a layout has twice is filled twice`() throws {
    let html = try render(
      "{{<Layout}}{{$title}}{{name}}{{/title}}{{/Layout}}",
      partials: ["Layout": "<title>{{$title}}{{/title}}</title><h1>{{$title}}A{{/title}}</h1>"]
    )

    #expect(html == "<title>Ant</title><h1>Ant</h1>")
  }

  @Test func `the outermost template's block wins`() throws {
    let html = try render(
      "{{<Middle}}{{$a}}1{{/a}}{{/Middle}}",
      partials: [
        "Middle": "{{<Base}}{{$a}}2{{/a}}{{$b}}2{{/b}}{{/Base}}",
        "Base": "{{$a}}3{{/a}}{{$b}}3{{/b}}{{$c}}3{{/c}}",
      ]
    )

    #expect(html == "123")
  }

  @Test func `a layout can be used twice in one template`() throws {
    let html = try render(
      "{{<Box}}{{$text}}1{{/text}}{{/Box}} {{<Box}}{{$text}}2{{/text}}{{/Box}} {{<Box}}{{/Box}}",
      partials: ["Box": "[{{$text}}0{{/text}}]"]
    )

    #expect(html == "[1] [2] [0]")
  }

  @Test func `a layout can be used in a block of the same layout`() throws {
    let html = try render(
      "{{<Box}}{{$text}}1{{<Box}}{{$text}}{{name}}{{/text}}{{/Box}}2{{/text}}{{/Box}}",
      partials: ["Box": "[{{$text}}0{{/text}}]"]
    )

    #expect(html == "[1[Ant]2]")
  }

  @Test func `a block can hold a block with its own name`() throws {
    let middle = "{{<Base}}{{$text}}<b>{{$text}}2{{/text}}</b>{{/text}}{{/Base}}"
    let base = "[{{$text}}3{{/text}}]"

    let alone = try render(middle, partials: ["Base": base])
    let below = try render(
      "{{<Middle}}{{$text}}1{{/text}}{{/Middle}}",
      partials: ["Middle": middle, "Base": base]
    )

    #expect(alone == "[<b>2</b>]")
    #expect(below == "[1]")
  }

  @Test func `a block in a block can be given from outside`() throws {
    let html = try render(
      "{{<Middle}}{{$inner}}1{{/inner}}{{/Middle}}",
      partials: [
        "Middle": "{{<Base}}{{$outer}}<b>{{$inner}}2{{/inner}}</b>{{/outer}}{{/Base}}",
        "Base": "[{{$outer}}3{{/outer}}]",
      ]
    )

    #expect(html == "[<b>1</b>]")
  }

  @Test func `a block sees the names of the place where it is shown`() throws {
    let html = try render(
      "{{<List}}{{$item}}<{{name}} {{legs}}>{{/item}}{{/List}}",
      Animal(cubs: [Cub(name: "x"), Cub(name: "y")]),
      partials: ["List": "{{#cubs}}{{$item}}{{name}}{{/item}}{{/cubs}}"]
    )

    #expect(html == "<x 6><y 6>")
  }

  @Test func `a partial of a layout has its blocks filled too`() throws {
    let html = try render(
      "{{<Layout}}{{$title}}{{name}}{{/title}}{{/Layout}}",
      partials: ["Layout": "{{>Head}}", "Head": "<title>{{$title}}Home{{/title}}</title>"]
    )

    #expect(html == "<title>Ant</title>")
  }

  @Test func `a block can hold partials and sections`() throws {
    let html = try render(
      "{{<Box}}{{$text}}{{#cubs}}{{>Cub}}{{/cubs}}{{/text}}{{/Box}}",
      Animal(cubs: [Cub(name: "x")]),
      partials: ["Box": "[{{$text}}{{/text}}]", "Cub": "{{name}}{{legs}}"]
    )

    #expect(html == "[x6]")
  }

  @Test func `rows can be in a block`() throws {
    let html = try render(
      "{{<Box}}{{$text}}{{#raw}}<b>{{name}}</b>{{/raw}}{{/text}}{{/Box}}",
      Animal(cubs: [Cub(name: "x")]),
      partials: ["Box": "[{{$text}}{{/text}}]"]
    )

    #expect(html == "[<b>x</b>]")
  }
}
