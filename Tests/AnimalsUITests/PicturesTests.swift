import AnimalsData
import ImmutableRuntime
import ImmutableUI
import Testing
import WindowTesting

@testable import AnimalsUI

struct PicturesTests {
  private static let one = picture("1")
  private static let two = picture("2")

  private static func picture(_ digit: String) -> Picture {
    let hash = String(repeating: digit, count: 64)
    guard let picture = Picture(hash: hash, kind: .png, width: 640, height: 480) else {
      preconditionFailure("this is a picture")
    }
    return picture
  }

  private static func element(_ picture: Picture) -> String {
    "<img src=\"/pictures/\(picture.hash)/640\" alt=\"Dog\" width=\"640\" height=\"480\""
  }

  @Test func `a picture shows in every window that shows its animal`() async throws {
    let fixture = try await AnimalsFixture()
    let window = try await fixture.open("/Dog?category=Mammal")
    let other = try await fixture.open("/Dog")
    #expect(other.html.contains("<img") == false)

    try await window.submit("setPicture", ["animalId": "Dog"], pictures: ["picture": Self.one])
    try await fixture.app.settle()

    _ = try window.receive()
    _ = try other.receive()
    #expect(window.html.contains(Self.element(Self.one)))
    #expect(other.html.contains(Self.element(Self.one)))
    #expect(window.toast == "Dog has a picture.")
    try await fixture.app.finish()
  }

  @Test func `a row has a small picture, and the sheet that the detail links to the full one`()
    async throws
  {
    let fixture = try await AnimalsFixture(
      MemoryStore([.dog.with(.picture(Self.one)), .cat, .newt]))
    let window = try await fixture.open("/Dog?category=Mammal")

    let thumbnails = window.html.matches(of: /<img class="thumbnail" src="([^"]*)" alt=""/)
    #expect(thumbnails.map { String($0.1) } == ["/pictures/\(Self.one.hash)/96"])
    #expect(window.html.contains("data-set=\"sheet=picture\""))
    let sheet = try await fixture.open("/Dog?category=Mammal&sheet=picture")
    #expect(sheet.html.contains("<img src=\"/pictures/\(Self.one.hash)\" alt=\"Dog\""))
    try await fixture.app.finish()
  }

  @Test func `the sheet with a picture closes when the picture is removed`() async throws {
    let fixture = try await AnimalsFixture(MemoryStore([.dog.with(.picture(Self.one)), .newt]))
    let window = try await fixture.open("/Dog?sheet=picture")
    let other = try await fixture.open("/Dog")
    #expect(window.html.contains("<dialog"))

    try await other.submit("removePicture", ["animalId": "Dog"])
    try await fixture.app.settle()

    _ = try window.receive()
    _ = try other.receive()
    #expect(window.html.contains("<dialog") == false)
    #expect(window.url == "/animals/Dog")
    #expect(try await fixture.open("/Newt?sheet=picture").url == "/animals/Newt")
    try await fixture.app.finish()
  }

  @Test func `undo restores a removed picture`() async throws {
    let fixture = try await AnimalsFixture(MemoryStore([.dog.with(.picture(Self.one)), .newt]))
    let window = try await fixture.open("/Dog")

    try await window.submit("removePicture", ["animalId": "Dog"])
    try await fixture.app.settle()
    _ = try window.receive()
    #expect(window.html.contains("<img") == false)
    #expect(window.toast == "Picture of Dog removed.")
    try await window.undo()
    try await fixture.app.settle()

    _ = try window.receive()
    #expect(window.html.contains(Self.element(Self.one)))
    #expect(window.toast == "Dog has a picture.")
    try await fixture.app.finish()
  }

  @Test func `a picture that someone has changed since cannot be undone`() async throws {
    let fixture = try await AnimalsFixture(MemoryStore([.dog, .newt]))
    let window = try await fixture.open("/Dog")
    let other = try await fixture.open("/Dog")
    try await window.submit("setPicture", ["animalId": "Dog"], pictures: ["picture": Self.one])
    try await fixture.app.settle()
    try await other.submit("setPicture", ["animalId": "Dog"], pictures: ["picture": Self.two])
    try await fixture.app.settle()
    _ = try other.receive()

    let answer = try await window.undo()

    guard case .refused(let refusal, version: _) = answer else {
      Issue.record("it was undone")
      return
    }
    #expect(refusal.message == "This can no longer be undone.")
    #expect(window.html.contains(Self.element(Self.two)))
    try await fixture.app.finish()
  }

  @Test func `a restored animal keeps its picture`() async throws {
    let fixture = try await AnimalsFixture(
      MemoryStore([.dog.with(.picture(Self.one)), .cat]))
    let window = try await fixture.open("/Dog?category=Mammal")
    try await window.submit("deleteInDetail", ["animalId": "Dog"])
    try await fixture.app.settle()
    try await window.undo()
    try await fixture.app.settle()
    _ = try window.receive()

    let again = try await fixture.open("/Dog")

    #expect(again.html.contains(Self.element(Self.one)))
    try await fixture.app.finish()
  }

  @Test func `a picture cannot be sent as text`() async throws {
    let fixture = try await AnimalsFixture()
    let window = try await fixture.open("/Dog")

    let answer = try await window.submit(
      "setPicture", ["animalId": "Dog", "picture": Self.one.description])

    guard case .refused(let refusal, version: _) = answer else {
      Issue.record("it was accepted")
      return
    }
    #expect(refusal.fields == ["picture": "Choose a picture."])
    try await fixture.app.finish()
  }
}
