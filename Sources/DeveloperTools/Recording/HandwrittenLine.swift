import Foundation
import ImmutableData
import ImmutableRuntime
import ImmutableUI

/// A line that is written by hand, because recordings have many of its kind and `JSONEncoder` takes
/// several times as long. It has the members that ``RecordingFormat/encode(_:)`` would write, in the
/// same order.
protocol HandwrittenLine {
  /// Writes the line without its end.
  func write(into json: inout JSONWriter)
}

extension HandwrittenLine {
  /// The line, including its line break.
  var line: Data {
    var json = JSONWriter()
    self.write(into: &json)
    json.write("\n")
    return Data(json.bytes)
  }
}

extension RecordedPage: HandwrittenLine {
  func write(into json: inout JSONWriter) {
    json.write("{")
    if let begins = self.begins {
      json.write(member: "begins")
      json.write("{")
      json.write(member: "date", begins.date)
      json.write(member: "timeZone", begins.timeZone)
      json.write(member: "url", begins.url)
      if let visitor = begins.visitor { json.write(member: "visitor", visitor.rawValue) }
      json.write("}")
    }
    json.write(member: "place", self.place)
    if let tags = self.tags {
      json.write(member: "tags")
      json.write(object: tags) { json, tag in
        if let tag { json.write(string: tag) } else { json.write("null") }
      }
    }
    json.write(member: "version", self.version)
    json.write("}")
  }
}

extension RecordedPiece: HandwrittenLine {
  func write(into json: inout JSONWriter) {
    json.write("{")
    if let html = self.html { json.write(member: "html", html) }
    if let parts = self.parts {
      json.write(member: "parts")
      json.write(list: parts) { json, tag in json.write(string: tag) }
    }
    json.write(member: "tag", self.tag)
    json.write("}")
  }
}

extension VisitLine: HandwrittenLine {
  func write(into json: inout JSONWriter) {
    json.write("{")
    json.write(member: "visit")
    self.visit.write(into: &json)
    json.write("}")
  }
}

extension RecordedVisit {
  fileprivate func write(into json: inout JSONWriter) {
    json.write("{")
    if let form = self.form { json.write(member: "form", form) }
    if let isNavigation = self.isNavigation { json.write(member: "isNavigation", isNavigation) }
    if let isRefused = self.isRefused { json.write(member: "isRefused", isRefused) }
    if let shown = self.shown {
      json.write(member: "shown")
      json.write("{")
      json.write(member: "date", shown.date)
      json.write(member: "timeZone", shown.timeZone)
      if let visitor = shown.visitor { json.write(member: "visitor", visitor.rawValue) }
      json.write("}")
    }
    json.write(member: "time", self.time)
    json.write(member: "url", self.url)
    json.write(member: "version", self.version)
    json.write(member: "visitor", self.visitor)
    if let window = self.window { json.write(member: "window", window) }
    json.write("}")
  }
}

extension RecordedAction {
  /// Its line, including its line break.
  ///
  /// - Parameters:
  ///   - payload: Its action as JSON.
  ///   - reference: Whether the file has the payload only once; `nil` for a small one.
  func line(_ payload: [UInt8], _ reference: RecordedTags.Reference?) -> Data {
    var json = JSONWriter()
    json.write("{")
    if reference?.isKnown != true {
      json.write(member: "action")
      json.write(json: payload)
    }
    json.write(member: "digest", self.digest)
    if let origin = self.origin { json.write(member: "origin", origin) }
    if let refusal = self.refusal { json.write(member: "refusal", refusal) }
    if let reference { json.write(member: "tag", reference.tag.text) }
    json.write(member: "time", self.time)
    json.write(member: "version", self.version)
    json.write("}\n")
    return Data(json.bytes)
  }
}

extension JSONWriter {
  fileprivate mutating func write(member name: StaticString, _ date: Date) {
    self.write(member: name)
    self.write(date.timeIntervalSinceReferenceDate)
  }

  fileprivate mutating func write(member name: StaticString, _ claim: Bool) {
    self.write(member: name)
    self.write(claim ? "true" : "false")
  }
}
