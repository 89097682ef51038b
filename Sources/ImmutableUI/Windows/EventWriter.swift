/// Writes the events of docs/PROTOCOL.md as server-sent events.
///
/// Source: HTML Standard, section Server-sent events.
enum EventWriter {
  /// The first event of a stream, with the time in milliseconds after which a plain EventSource
  /// would come back.
  static func open(stream: Identifier, boot: Identifier, version: UInt64) -> [UInt8] {
    var json = JSONWriter()
    json.write("{\"stream\":")
    json.write(string: stream.text)
    json.write(",\"boot\":")
    json.write(string: boot.text)
    json.write(",\"version\":")
    json.write(version)
    json.write("}")
    return Array("retry: 2000\n".utf8) + self.event("open", version, json)
  }

  static func frame(place: PlaceID, version: UInt64, patches: [[UInt8]]) -> [UInt8] {
    var json = JSONWriter()
    json.write("{\"place\":")
    json.write(place)
    json.write(",\"version\":")
    json.write(version)
    json.write(patches: patches)
    return self.event("frame", version, json)
  }

  static func show(
    window: Identifier,
    navigation: Int,
    place: PlaceID,
    version: UInt64,
    location: Location,
    title: String,
    patches: [[UInt8]]
  ) -> [UInt8] {
    var json = JSONWriter()
    json.write("{\"window\":")
    json.write(string: window.text)
    json.write(",\"navigation\":")
    json.write(navigation)
    json.write(",\"place\":")
    json.write(place)
    json.write(",\"version\":")
    json.write(version)
    json.write(location: location, title: title)
    json.write(patches: patches)
    return self.event("show", version, json)
  }

  static func move(
    place: PlaceID,
    to: PlaceID,
    version: UInt64,
    location: Location,
    title: String,
    patches: [[UInt8]]
  ) -> [UInt8] {
    var json = JSONWriter()
    json.write("{\"place\":")
    json.write(place)
    json.write(",\"to\":")
    json.write(to)
    json.write(",\"version\":")
    json.write(version)
    json.write(location: location, title: title)
    json.write(patches: patches)
    return self.event("move", version, json)
  }

  static func version(_ version: UInt64) -> [UInt8] {
    var json = JSONWriter()
    json.write("{\"version\":")
    json.write(version)
    json.write("}")
    return self.event("version", version, json)
  }

  /// - Parameter retry: In milliseconds.
  static func goodbye(version: UInt64, retry: Int) -> [UInt8] {
    var json = JSONWriter()
    json.write("{\"retry\":")
    json.write(retry)
    json.write("}")
    return self.event("goodbye", version, json)
  }

  private static func event(
    _ name: StaticString,
    _ version: UInt64,
    _ json: JSONWriter
  ) -> [UInt8] {
    var event = JSONWriter()
    event.write("event: ")
    event.write(name)
    event.write("\nid: ")
    event.write(version)
    event.write("\ndata: ")
    event.write(json: json.bytes)
    event.write("\n\n")
    return event.bytes
  }
}

extension JSONWriter {
  fileprivate mutating func write(patches: [[UInt8]]) {
    self.write(",\"regions\":[")
    for (index, patch) in patches.enumerated() {
      if index > 0 { self.write(",") }
      self.write(json: patch)
    }
    self.write("]}")
  }

  fileprivate mutating func write(location: Location, title: String) {
    self.write(",\"url\":")
    self.write(string: location.url)
    self.write(",\"title\":")
    self.write(string: title)
    self.write(",\"overlay\":{")
    self.write(members: location.overlay.attributes) { json, rows in
      json.write("{")
      json.write(members: rows) { json, attributes in
        json.write("{")
        json.write(members: attributes) { json, value in json.write(string: value) }
        json.write("}")
      }
      json.write("}")
    }
    self.write("}")
  }

  private mutating func write<Value>(
    members: [String: Value],
    _ write: (inout JSONWriter, Value) -> Void
  ) {
    for (index, (name, value)) in members.sorted(by: { $0.key < $1.key }).enumerated() {
      if index > 0 { self.write(",") }
      self.write(string: name)
      self.write(":")
      write(&self, value)
    }
  }
}
