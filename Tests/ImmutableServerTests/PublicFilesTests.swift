import Foundation
import Testing

@testable import ImmutableServer

struct PublicFilesTests {
  @Test func `a missing asset of a component stops the start`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(
      at: folder.appending(path: "MapUI"),
      withIntermediateDirectories: true
    )
    try Data("export {}".utf8).write(to: folder.appending(path: "MapUI/camera.js"))
    let files = try PublicFiles(directory: folder.path)

    #expect(throws: Never.self) { try files.require(["MapUI/camera.js"]) }
    let error = #expect(throws: StartError.self) { try files.require(["MapUI/map.css"]) }

    #expect(error?.description.hasPrefix("A component brings MapUI/map.css") == true)
  }
}
