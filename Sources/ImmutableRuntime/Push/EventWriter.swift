import ImmutableData
import ImmutableUI

/// Writes the events of docs/PROTOCOL.md as server-sent events.
///
/// Source: HTML Standard, section Server-sent events.
enum EventWriter {
  /// The version of the protocol. Raise it if the scripts of the release before cannot apply an event.
  static let protocolVersion = "4"

  /// A patch of a region that no page has. Scripts of any release fail at it, and reload their page.
  static let unappliablePatch = Array(#"["",""]"#.utf8)

  /// The first event of a stream, with the time in milliseconds after which a plain EventSource
  /// reconnects.
  ///
  /// - Parameter window: The window that joins with it.
  static func open(
    stream: Identifier,
    boot: Identifier,
    window: Identifier?,
    version: UInt64
  ) -> StreamEvent {
    self.event("open", version, after: "retry: 2000\n") { json in
      json.write(member: "stream", stream.text)
      json.write(member: "boot", boot.text)
      if let window { json.write(member: "window", window.text) }
    }
  }

  /// - Parameters:
  ///   - title: The document's title, if it has changed.
  ///   - transition: The transition to show the change with.
  static func frame(
    place: PlaceID,
    version: UInt64,
    title: String?,
    transition: Transition? = nil,
    patches: [[UInt8]]
  ) -> StreamEvent {
    self.event(nil, version) { json in
      json.write(member: "place", place)
      if let title { json.write(member: "title", title) }
      if let transition { json.write(member: "as", transition.name) }
      json.write(patches: patches)
    }
  }

  /// - Parameter isOutdated: Whether its page has styles and scripts of another release.
  static func show(
    window: Identifier,
    navigation: Int,
    place: Place<some StoreState>,
    windows: Int,
    assets: [Asset],
    isOutdated: Bool,
    version: UInt64,
    patches: [[UInt8]]
  ) -> StreamEvent {
    self.event("show", to: window, version) { json in
      if isOutdated { json.write(",\"outdated\":true") }
      json.write(member: "navigation", navigation)
      json.write(member: "place", place.id)
      json.write(member: "windows", windows)
      json.write(contentOf: place, assets, patches)
    }
  }

  static func move(
    from place: PlaceID,
    to target: Place<some StoreState>,
    assets: [Asset],
    version: UInt64,
    patches: [[UInt8]]
  ) -> StreamEvent {
    self.event("move", version) { json in
      json.write(member: "place", place)
      json.write(member: "to", target.id)
      json.write(contentOf: target, assets, patches)
    }
  }

  /// - Parameter windows: How many windows show the place's page.
  static func presence(place: PlaceID, windows: Int, version: UInt64) -> StreamEvent {
    self.event("presence", version) { json in
      json.write(member: "place", place)
      json.write(member: "windows", windows)
    }
  }

  /// - Parameter token: The token of the submission that it is about; `nil` if it is not known.
  static func toast(
    _ toast: ToastContent,
    of token: String? = nil,
    window: Identifier,
    version: UInt64
  ) -> StreamEvent {
    self.event("toast", to: window, version) { json in
      if let token { json.write(member: "token", token) }
      json.write(member: "message", toast.message)
      if let submission = toast.submission {
        json.write(member: "submission", submission)
        json.write(member: "url", toast.url)
      }
      if let subject = toast.subject { json.write(member: "about", subject) }
    }
  }

  /// - Parameter token: The token of a submission of the window whose effect has succeeded.
  static func ended(_ token: String, window: Identifier, version: UInt64) -> StreamEvent {
    self.event("ended", to: window, version) { json in
      json.write(member: "token", token)
    }
  }

  static func version(_ version: UInt64, window: Identifier) -> StreamEvent {
    self.event("version", to: window, version)
  }

  /// - Parameter message: Why the window could not join.
  static func refused(_ window: Identifier, message: String, version: UInt64) -> StreamEvent {
    self.event("refused", to: window, version) { json in
      json.write(member: "message", message)
    }
  }

  /// - Parameter retry: In milliseconds.
  static func goodbye(version: UInt64, retry: Int) -> StreamEvent {
    self.event("goodbye", version) { json in
      json.write(member: "retry", retry)
    }
  }

  /// An event for one window.
  ///
  /// - Parameter members: Writes the other members of the event's JSON object.
  private static func event(
    _ name: StaticString,
    to window: Identifier,
    _ version: UInt64,
    _ members: (inout JSONWriter) -> Void = { _ in }
  ) -> StreamEvent {
    self.event(name, version) { json in
      json.write(member: "window", window.text)
      members(&json)
    }
  }

  /// - Parameters:
  ///   - name: `nil` for a frame. Nearly all events are frames, and so they have no name.
  ///   - fields: Fields to write before the event.
  ///   - members: Writes the members of the event's JSON object.
  private static func event(
    _ name: StaticString?,
    _ version: UInt64,
    after fields: StaticString = "",
    _ members: (inout JSONWriter) -> Void
  ) -> StreamEvent {
    var event = JSONWriter()
    event.write(fields)
    if let name {
      event.write("event: ")
      event.write(name)
      event.write("\n")
    }
    event.write("id: ")
    event.write(version)
    event.write("\ndata: {")
    members(&event)
    event.write("}\n\n")
    return StreamEvent(event.bytes)
  }
}

extension JSONWriter {
  fileprivate mutating func write(patches: [[UInt8]]) {
    self.write(member: "regions")
    self.write(list: patches) { json, patch in json.write(json: patch) }
  }

  /// The content of a place, for a window that was elsewhere.
  fileprivate mutating func write(
    contentOf place: Place<some StoreState>,
    _ assets: [Asset],
    _ patches: [[UInt8]]
  ) {
    self.write(member: "url", place.location.url)
    self.write(member: "title", place.composition.title)
    if assets.isEmpty == false {
      self.write(member: "assets")
      self.write(list: assets) { json, asset in json.write(string: asset.path) }
    }
    self.write(member: "overlay")
    self.write(object: place.location.overlay) { json, rows in
      json.write(object: rows) { json, attributes in
        json.write(object: attributes) { json, value in json.write(string: value) }
      }
    }
    self.write(patches: patches)
  }
}
