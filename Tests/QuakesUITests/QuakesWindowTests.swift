import Foundation
import ImmutableData
import ImmutableRuntime
import ImmutableUI
import QuakesData
import Testing
import WindowTesting

@testable import QuakesUI

// What is shown. One after the other: each works hard, and other suites wait for servers.
@Suite(.serialized) struct QuakesWindowTests {
  @Test func `a page lists the earthquakes of the day`() async throws {
    let fixture = try await QuakesFixture()

    let window = try await fixture.open()

    #expect(window.rows == ["tonga", "jose", "alaska"])
    #expect(window.text.contains("2.2 Alaska 1:00 AM Feb 7, 2018 at 1:00 AM UTC"))
    #expect(window.text.contains("3 earthquakes Charts"))
    #expect(window.text.hasSuffix("Map: Natural Earth, MORVEL56"))
    try await fixture.app.finish()
  }

  @Test func `a page without earthquakes offers to load some`() async throws {
    let fixture = try await QuakesFixture([])

    let window = try await fixture.open()

    #expect(
      window.text.contains(
        "No earthquakes yet Load them from the U.S. Geological Survey: "
          + "Past hour Past day Past week Past month "
          + "No network? Try it with a month of made-up earthquakes. Load the sample"
      )
    )
    try await fixture.app.finish()
  }

  @Test(arguments: [
    ("", ["tonga", "jose", "alaska"]),
    ("?order=forward", ["alaska", "jose", "tonga"]),
    ("?sort=magnitude", ["tonga", "jose", "alaska"]),
    ("?order=forward&sort=magnitude", ["alaska", "jose", "tonga"]),
    ("?magnitude=2.5", ["tonga", "jose"]),
    ("?search=jose&magnitude=4.5", ["jose"]),
    ("?search=san+jose", ["jose"]),
    ("?search=JOS%C3%89", ["jose"]),
    ("?date=2018-02-06", ["before"]),
    ("?date=2018-02-07", ["tonga", "jose", "alaska"]),
  ])
  func `a window shows the state in its URL`(query: String, rows: [String]) async throws {
    let fixture = try await QuakesFixture()

    let window = try await fixture.open(query)

    #expect(window.rows == rows)
    #expect(Set(window.markers) == Set(rows))
    #expect(window.url == "/quakes\(query)")
    try await fixture.app.finish()
  }

  @Test func `a day that the time zone skipped has no earthquakes and says so`() async throws {
    let skipped = Date(timeIntervalSince1970: 1_325_239_200)  // 2011-12-30T10:00:00Z
    let quakes = [-60.0, 60].map { Quake.make("\($0)", time: skipped.addingTimeInterval($0)) }
    let fixture = try await QuakesFixture(quakes)

    let window = try await fixture.open("?date=2011-12-30", zone: "Pacific/Apia")

    #expect(window.rows == [])
    #expect(
      window.text.contains(
        "No such day Your time zone skipped December 30, 2011, when it moved across the date line. "
          + "Go to December 29, 2011 Go to December 31, 2011"
      )
    )
    try await fixture.app.finish()
  }

  @Test(arguments: [
    "?date=2018-02-30", "?date=yesterday", "?date=2018-2-7", "?date=", "?order=up", "?sort=name",
    "?magnitude=3", "?magnitude=", "?charts=yes", "?camera=far_away_0", "?camera=1_2",
    "?sheet=delete", "?list=&map=",
  ])
  func `a value that does not parse is ignored`(query: String) async throws {
    let fixture = try await QuakesFixture()

    let window = try await fixture.open(query)

    #expect(window.rows == ["tonga", "jose", "alaska"])
    #expect(window.page.contains("viewBox=\"-180 -132 360 264\""))
    try await fixture.app.finish()
  }

  @Test func `equal earthquakes are sorted the same regardless of insertion order`() async throws {
    let quakes = (0..<50).map { Quake.make("q\($0)", magnitude: 2, time: .at($0 % 3)) }
    let fixture = try await QuakesFixture(quakes)
    let again = try await QuakesFixture(quakes.reversed())

    let window = try await fixture.open("?sort=magnitude")
    let other = try await again.open("?sort=magnitude")

    #expect(window.rows == other.rows)
    #expect(window.rows.prefix(2) == ["q11", "q14"])
  }

  @Test func `a search without results is quoted`() async throws {
    let fixture = try await QuakesFixture()

    let window = try await fixture.open("?search=%3Cb%3E%22x%22%3C%2Fb%3E+%26+%C3%A9")

    #expect(
      window.html.contains(
        "No results for “<bdi>&lt;b&gt;&quot;x&quot;&lt;/b&gt; &amp; é</bdi>”")
    )
    #expect(window.text.contains("0 of 3 earthquakes"))
    try await fixture.app.finish()
  }

  @Test func `a day without earthquakes shows that it has none`() async throws {
    let fixture = try await QuakesFixture()

    let window = try await fixture.open("?date=2018-02-01")

    #expect(window.text.contains("There are none on February 1, 2018."))
    try await fixture.app.finish()
  }

  @Test func `text from a feed is escaped everywhere`() async throws {
    let name = "\" onload=\"alert(1)\"><script>é&\u{301}"
    let fixture = try await QuakesFixture([.make("<\"&'>", name: name)])

    let window = try await fixture.open("?list=%3C%22%26%27%3E")

    #expect(window.page.contains("<script>é") == false)
    #expect(window.page.contains("onload=\"") == false)
    #expect(window.page.contains("href=\"?list=%3C%22%26%27%3E&amp;map=%3C%22%26%27%3E#quake-%3C"))
    try await fixture.app.finish()
  }
}

// Days and zones.
extension QuakesWindowTests {
  @Test func `a day is that of the window's time zone`() async throws {
    let fixture = try await QuakesFixture()

    let tokyo = try await fixture.open(zone: "Asia/Tokyo")
    let angeles = try await fixture.open(zone: "America/Los_Angeles")

    // Tonga was at 23:30 in UTC, which is the next day in Tokyo; before, at 22:00, is this day there.
    #expect(tokyo.rows == ["jose", "alaska", "before"])
    // There the day begins at 8:00 in UTC.
    #expect(angeles.rows == ["tonga", "jose"])
    try await fixture.app.finish()
  }

  @Test func `a window without a date shows the current day`() async throws {
    let fixture = try await QuakesFixture()

    let window = try await fixture.open(at: .at(24, 1))
    let deep = try await fixture.open("?date=2018-02-07", at: .at(24, 1))

    #expect(window.rows == [])
    #expect(window.page.contains("data-default=\"2018-02-08\" value=\"2018-02-08\""))
    #expect(deep.rows == ["tonga", "jose", "alaska"])
    try await fixture.app.finish()
  }

  @Test func `links to the current day leave the date out of the URL`() async throws {
    let fixture = try await QuakesFixture()

    let yesterday = try await fixture.open("?date=2018-02-06")
    let tomorrow = try await fixture.open("?date=2018-02-08&search=alaska")
    let earlier = try await fixture.open("?date=2018-02-05")

    #expect(yesterday.page.contains("date=2018-02-05"))
    #expect(earlier.page.contains("date=2018-02-06"))
    for window in [yesterday, tomorrow, earlier] {
      #expect(window.page.contains("date=2018-02-07") == false)
    }
    #expect(tomorrow.text.contains("Go to February 7, 2018"))
    try await fixture.app.finish()
  }

  @Test func `windows in time zones with the same day share selectors`() async throws {
    let fixture = try await QuakesFixture()
    _ = try await fixture.open(zone: "Europe/Berlin")
    let before = fixture.app.windows.counts

    _ = try await fixture.open(zone: "Europe/Paris")

    let counts = fixture.app.windows.counts - before
    #expect(counts.outputRuns == 0)
    #expect(counts.rowRenders == 0)
  }

  @Test func `the title shows the time in the window's zone`() async throws {
    let fixture = try await QuakesFixture()

    let window = try await fixture.open("?list=jose&map=jose", zone: "America/Los_Angeles")

    #expect(window.text.contains("San José, Costa Rica Wednesday, February 7, 2018 at 1:00:00"))
    try await fixture.app.finish()
  }
}

// Selections.
extension QuakesWindowTests {
  @Test(arguments: ["?list=jose", "?map=jose", "?list=jose&map=tonga", "?list=gone&map=jose"])
  func `the list and the map share a selection`(query: String) async throws {
    let fixture = try await QuakesFixture()
    _ = try await fixture.open()

    let window = try await fixture.open(query)

    #expect(window.url == "/quakes?list=jose&map=jose")
    #expect(window.page.contains("data-key=\"jose\" data-overlay=\"aria-current\""))
    try await fixture.app.finish()
  }

  @Test func `a shared URL opens the same selection after a restart`() async throws {
    let fixture = try await QuakesFixture()

    let window = try await fixture.open("?list=jose&map=jose")

    #expect(window.url == "/quakes?list=jose&map=jose")
    #expect(window.text.contains("San José, Costa Rica Wednesday"))
  }

  @Test func `a selection that does not match the search is not on the map`() async throws {
    let fixture = try await QuakesFixture()

    let window = try await fixture.open("?list=jose&map=jose&search=alaska")

    #expect(window.rows == ["alaska"])
    #expect(window.markers == ["alaska"])
    #expect(window.html.contains("markers selected") == false)
    try await fixture.app.finish()
  }

  @Test func `smaller markers are drawn on top of larger ones, and the selected one on all`()
    async throws
  {
    let fixture = try await QuakesFixture()

    let window = try await fixture.open("?list=tonga&map=tonga")

    #expect(window.markers == ["tonga", "jose", "alaska"])
    let all = try #require(window.html.firstRange(of: "data-list=\"markers\""))
    let selected = try #require(window.html.firstRange(of: "class=\"markers selected\""))
    #expect(all.lowerBound < selected.lowerBound)
    try await fixture.app.finish()
  }
}

// What users do.
extension QuakesWindowTests {
  @Test func `a refresh fills every window, each with its own sort and search`() async throws {
    let fixture = try await QuakesFixture([], feed: .somewhere)
    let window = try await fixture.open()
    let sorted = try await fixture.open("?order=forward")
    let searching = try await fixture.open("?search=jose")

    try await window.submit("refresh", ["range": "allWeek"])
    try await fixture.app.settle()

    try await window.expect("3 earthquakes Charts")
    try await sorted.expect("3 earthquakes Charts")
    try await searching.expect("1 of 3 earthquakes")
    #expect(window.rows == ["tonga", "jose", "alaska"])
    #expect(sorted.rows == ["alaska", "jose", "tonga"])
    #expect(searching.rows == ["jose"])
    #expect(await fixture.remote.ranges == [.allWeek])
    #expect(await fixture.local.quakes.count == 4)
    try await fixture.app.finish()
  }

  @Test func `a running refresh shows in every window`() async throws {
    let fixture = try await QuakesFixture(feed: .somewhere)
    let window = try await fixture.open()
    let other = try await fixture.open("?search=jose")
    await fixture.remote.hold()

    try await window.submit("refresh", ["range": "allDay"])

    try await window.expect("Loading earthquakes…")
    try await other.expect("Loading earthquakes…")
    #expect(other.html.contains("value=\"allDay\" disabled"))
    await fixture.remote.release()
    try await fixture.app.settle()
    try await window.expect("3 earthquakes")
    try await other.expect("1 of 3 earthquakes")
    #expect(window.text.contains("Loading") == false)
    try await fixture.app.finish()
  }

  @Test func `a failed feed shows everywhere with ways to retry, and nothing is lost`()
    async throws
  {
    let fixture = try await QuakesFixture()
    let window = try await fixture.open()
    let other = try await fixture.open("?search=jose")
    await fixture.remote.fail()

    try await window.submit("refresh", ["range": "allDay"])
    try await fixture.app.settle()

    try await window.expect("The feed is down. Try again: Past hour Past day Past week Past month")
    try await other.expect("The feed is down.")
    #expect(window.rows == ["tonga", "jose", "alaska"])
    try await fixture.app.finish()
  }

  @Test(arguments: [
    (1, "1 entry of the feed could not be read and was left out."),
    (2, "2 entries of the feed could not be read and were left out."),
  ])
  func `unreadable features are counted`(skipped: Int, text: String) async throws {
    let fixture = try await QuakesFixture()
    let window = try await fixture.open()
    await fixture.remote.answer(.somewhere, skipped: skipped)

    try await window.submit("refresh", ["range": "allDay"])
    try await fixture.app.settle()

    try await window.expect(text)
    try await fixture.app.finish()
  }

  @Test(arguments: [[:], ["range": ""], ["range": "allYear"]])
  func `a refresh of nothing is refused`(fields: [String: String]) async throws {
    let fixture = try await QuakesFixture()
    let window = try await fixture.open()

    let answer = try await window.submit("refresh", fields)

    guard case .refused(let refusal, _) = answer else {
      Issue.record("it was accepted")
      return
    }
    #expect(refusal == Refusal(field: "range", "Choose how far back to refresh."))
    #expect(await fixture.remote.ranges == [])
    try await fixture.app.finish()
  }

  @Test func `a delete removes the row and the selection in every window`() async throws {
    let fixture = try await QuakesFixture()
    let window = try await fixture.open("?list=jose&map=jose")
    let other = try await fixture.open("?sort=magnitude&list=jose&map=jose")

    try await window.submit("deleteSelected", ["quakeId": "jose"])
    try await fixture.app.settle()

    #expect(window.url == "/quakes")
    #expect(window.rows == ["tonga", "alaska"])
    #expect(window.markers == ["tonga", "alaska"])
    try await other.expect("2 earthquakes Charts")
    #expect(other.url == "/quakes?sort=magnitude")
    #expect(other.rows == ["tonga", "alaska"])
    #expect(await fixture.local.quakes.keys.sorted() == ["alaska", "before", "tonga"])
    _ = try window.receive()
    try await fixture.app.finish()
  }

  @Test func `a long list is split into parts, and the map has the strongest`()
    async throws
  {
    let quakes = (0..<1_201).map { index in
      Quake.make(
        "q\(index)",
        magnitude: 1 + Double(index) / 1_000,
        time: Date.noon.addingTimeInterval(Double(-index))
      )
    }
    let fixture = try await QuakesFixture(quakes)

    let window = try await fixture.open("?list=q700&map=q700")

    #expect(window.rows == (0..<500).map { "q\($0)" })
    #expect(window.text.contains("Showing 1–500 of 1,201 Go to the selected one Previous Next"))
    #expect(window.text.contains("1,201 earthquakes"))
    #expect(window.text.contains("The map shows the strongest 1,000 of 1,201."))
    #expect(window.markers.count == 1_000)
    let last = try await fixture.open("?from=q1000")
    #expect(last.rows == (1_000..<1_201).map { "q\($0)" })
    #expect(last.text.contains("Showing 1,001–1,201 of 1,201 Previous"))
    let found = try await fixture.open("?from=q500&list=q700&map=q700")
    #expect(found.text.contains("Go to the selected one") == false)
    let beyond = try await fixture.open("?from=q9999")
    #expect(beyond.url == "/quakes")
    let searched = try await fixture.open("?from=q1000&search=nowhere")
    #expect(searched.text.contains("No results"))
    for query in ["?from=", "?from=x", "?page=2"] {
      #expect(try await fixture.open(query).url == "/quakes")
    }
  }

  @Test func `searches that fold to the same text share selectors and renders`() async throws {
    let fixture = try await QuakesFixture()

    let window = try await fixture.open("?search=JOS%C3%89")
    let other = try await fixture.open("?search=jose")
    let decomposed = try await fixture.open("?search=jose%CC%81")

    #expect(window.url == "/quakes?search=JOS%C3%89")
    let tags = [window, other, decomposed].map { window in
      window.page.split(separator: "data-region=").filter { $0.contains("class=\"rows\"") }
        .map { $0.prefix { $0 != ">" } }
    }
    #expect(tags[0].isEmpty == false)
    #expect(tags[0] == tags[1])
    #expect(tags[0] == tags[2])
  }

  @Test(arguments: [String(repeating: "a", count: 201), String(repeating: "%C3%A4", count: 201)])
  func `a search that is too long is ignored`(text: String) async throws {
    let fixture = try await QuakesFixture()

    let window = try await fixture.open("?search=\(text)")

    #expect(window.url == "/quakes")
    #expect(window.rows == ["tonga", "jose", "alaska"])
  }

  @Test(arguments: ["?date=2018-02-06&list=jose", "?search=tonga&list=jose"])
  func `a window cannot delete an earthquake that it does not show`(
    query: String
  ) async throws {
    let fixture = try await QuakesFixture()
    let window = try await fixture.open(query)
    #expect(window.text.contains("The selected earthquake is not in this list."))
    #expect(
      window.html.contains(
        "<button type=\"submit\" aria-keyshortcuts=\"Delete\" disabled>Delete selected"))

    let answer = try await window.submit("deleteSelected", ["quakeId": "jose"])

    guard case .refused(let refusal, version: _) = answer else {
      Issue.record("it was accepted")
      return
    }
    #expect(refusal.kind == .conflict)
    #expect(refusal.message.contains("is not in this list any more"))
    let all = try await fixture.open("?date=2018-02-07&list=jose")
    #expect(all.rows == ["tonga", "jose", "alaska"])
    #expect(all.text.contains("The selected earthquake is not in this list.") == false)
    try await fixture.app.finish()
  }

  @Test func `a missing earthquake cannot be deleted again`() async throws {
    let fixture = try await QuakesFixture()
    let window = try await fixture.open()

    let answer = try await window.submit("deleteSelected", ["quakeId": "gone"])

    guard case .refused(let refusal, _) = answer else {
      Issue.record("it was accepted")
      return
    }
    #expect(refusal == Refusal(.unknown, "This earthquake is no longer in the list."))
    try await fixture.app.finish()
  }

  @Test func `all earthquakes are deleted in every window at once`() async throws {
    let fixture = try await QuakesFixture()
    let window = try await fixture.open("?search=jose")
    let other = try await fixture.open()

    try await window.submit("deleteAll")
    try await fixture.app.settle()

    try await other.expect("4 earthquakes were deleted")
    #expect(window.url == "/quakes?search=jose")
    #expect(await fixture.local.quakes == [:])
    _ = try window.receive()
    try await fixture.app.finish()
  }

  @Test func `a failed delete is rolled back and says why`() async throws {
    let fixture = try await QuakesFixture()
    let window = try await fixture.open("?list=jose&map=jose")
    await fixture.local.fail()

    try await window.submit("deleteSelected", ["quakeId": "jose"])
    try await fixture.app.settle()

    // It may have failed before the answer to the post was made: then no push follows.
    _ = try window.receive()
    #expect(window.text.contains("The disk is full."))
    #expect(window.rows == ["tonga", "jose", "alaska"])
    try await fixture.app.finish()
  }

  @Test func `the sample fills an empty window`() async throws {
    let fixture = try await QuakesFixture([])
    // Of today there are only those until now.
    let window = try await fixture.open(at: .now - 24 * 60 * 60)

    try await window.submit("sample")
    try await fixture.app.settle()

    try await window.expect("earthquakes")
    #expect(window.rows.isEmpty == false)
    #expect(await fixture.local.quakes.count > 8_000)
    #expect(await fixture.remote.ranges == [])
  }
}

// The camera.
extension QuakesWindowTests {
  @Test func `a page shows the view of its camera`() async throws {
    let fixture = try await QuakesFixture()

    let window = try await fixture.open("?camera=90_0_2")

    #expect(window.page.contains("viewBox=\"0 -66 180 132\""))
    #expect(
      window.page.contains("href=\"?camera=90_0_4\" data-keeps=\"href\" data-camera-move=\"in\""))
    #expect(
      window.page.contains("href=\"?camera=90_0_1\" data-keeps=\"href\" data-camera-move=\"out\""))
    #expect(window.page.contains("href=\"/quakes\" data-keeps=\"href\" data-camera-move=\"all\""))
    #expect(
      window.page.contains("href=\"?camera=45_0_2\" data-keeps=\"href\" data-camera-move=\"left\""))
    #expect(
      window.page.contains("href=\"?camera=90_33_2\" data-keeps=\"href\" data-camera-move=\"down\"")
    )
    #expect(
      window.page.contains("<input type=\"hidden\" data-late name=\"camera\" value=\"90_0_2\">"))
    try await fixture.app.finish()
  }

  @Test func `selecting in the list moves the camera, selecting on the map does not`() async throws
  {
    let fixture = try await QuakesFixture([.make("a", longitude: 13, latitude: 0)])

    let window = try await fixture.open()

    #expect(window.html.contains("data-set=\"list=a&amp;map=a&amp;camera=13_0_8\""))
    #expect(window.html.contains("data-set=\"list=a&amp;map=a\""))
    try await fixture.app.finish()
  }

  @Test func `overlapping markers become one mark that links to a closer view`()
    async throws
  {
    let fixture = try await QuakesFixture([
      .make("a", magnitude: 4, longitude: 10),
      .make("b", magnitude: 2, longitude: 14),
      .make("c", magnitude: 3, longitude: 100),
    ])

    let window = try await fixture.open("?list=b&map=b")

    #expect(window.markers == ["a", "c", "b"])
    #expect(window.clusters == ["a.-1"])
    #expect(window.html.contains("data-set=\"camera=12_0_54\""))
    #expect(
      window.html.contains(
        "<title>Show 2 earthquakes, the strongest of magnitude 4.0, A</title>")
    )
    // What is selected is drawn over all.
    #expect(window.html.contains("class=\"markers selected\""))
    try await fixture.app.finish()
  }

  @Test(arguments: [("", "coarse", nil), ("?camera=0_0_4", "fine", "/public/QuakesUI/")])
  func `only a page with a close camera loads detailed land`(
    query: String,
    detail: String,
    folder: String?
  ) async throws {
    let fixture = try await QuakesFixture()

    let window = try await fixture.open(query)

    #expect(window.page.contains("data-detail=\"\(detail)\""))
    for (name, file) in [("world", "world.svg"), ("plates", "plates-near.svg")] {
      let address = folder.map { "\($0)\(file)#\(name)" } ?? "#none"
      #expect(window.page.contains("href=\"\(address)\" data-part=\"\(name)\""))
    }
    try await fixture.app.finish()
  }

  @Test func `windows that differ only in their camera share a place`() async throws {
    let fixture = try await QuakesFixture(.many(20))
    for index in 0..<20 {
      _ = try await fixture.open("?camera=\(index)_0_4")
    }
    let window = try await fixture.open("?list=q1&map=q1&camera=5_0_9")
    #expect(window.url == "/quakes?list=q1&map=q1")
    let before = fixture.app.windows.counts

    try await window.submit("deleteSelected", ["quakeId": "q2"])

    // The list, how many there are, the markers, the bars, and what says that there are any: once for all
    // windows.
    #expect((fixture.app.windows.counts - before).diffs <= 8)
  }
}

// What it costs.
extension QuakesWindowTests {
  @Test func `a delete renders nothing for windows of other days`() async throws {
    func renders(besides others: [String]) async throws -> Int {
      let fixture = try await QuakesFixture()
      let window = try await fixture.open()
      for query in others { _ = try await fixture.open(query) }
      let before = fixture.app.windows.counts
      try await window.submit("deleteSelected", ["quakeId": "jose"])
      try await fixture.app.settle()
      return (fixture.app.windows.counts - before).regionRenders
    }

    let alone = try await renders(besides: [])

    // With earthquakes, and without. All share the bars.
    #expect(try await renders(besides: ["?date=2018-02-06", "?date=2018-02-05"]) == alone)
    #expect(alone > 0)
  }

  @Test func `a delete on a busy day renders once for all windows`() async throws {
    let fixture = try await QuakesFixture(.apart)
    var windows: [TestWindow] = []
    for _ in 0..<20 { windows.append(try await fixture.open()) }
    let before = fixture.app.windows.counts

    try await windows[0].submit("deleteSelected", ["quakeId": "q7"])
    try await fixture.app.settle()

    let counts = fixture.app.windows.counts - before
    // By time for the list, by magnitude for the map; and the bar of the day.
    #expect(counts.rowRenders == 1)
    // The list, how many there are, the markers, and the bars: each once. What is said of none, of too
    // many, and of parts of the list stays equal.
    #expect(counts.regionRenders == 4)
    #expect(counts.diffs == 4)
    #expect(counts.frames == 1)
    for window in windows {
      let pushes = try window.receive().filter { $0.event == "frame" }
      #expect(pushes.count == 1)
      let data = try #require(pushes.first?.data)
      #expect(data.contains(",null,{\"quakes\":[[\"cut\",\"q7\"]]}"))
      #expect(data.contains(",null,{\"markers\":[[\"cut\",\"q7\"]]}"))
      // What else has changed are texts and attributes.
      #expect(data.contains("data-key") == false)
      #expect(data.utf8.count < 1_000)
      #expect(window.rows.count == 49)
    }
  }
}

extension QuakesWindowTests {
  @Test func `searches that find the same share the map`() async throws {
    func renders(of searches: [String]) async throws -> RenderCounts {
      let fixture = try await QuakesFixture()
      for search in searches { _ = try await fixture.open("?search=\(search)") }
      let before = fixture.app.windows.counts
      let window = try await fixture.open()
      try await window.submit("deleteSelected", ["quakeId": "jose"])
      try await fixture.app.settle()
      return fixture.app.windows.counts - before
    }

    let one = try await renders(of: ["o"])
    let two = try await renders(of: ["o", "n"])

    // The other search has a list, and says how many there are.
    #expect(two.regionRenders - one.regionRenders == 2)
  }
}

extension TestWindow {
  /// The keys of the list's rows, in order.
  var rows: [String] { self.keys(of: "quakes") }

  /// The keys of the markers, in the order in which they are drawn.
  var markers: [String] { self.keys(of: "markers") }

  /// The keys of the marks for several.
  var clusters: [String] { self.keys(of: "clusters") }

  private func keys(of list: String) -> [String] {
    guard let start = self.html.firstRange(of: "data-list=\"\(list)\"")?.upperBound else {
      return []
    }
    let rest = self.html[start...]
    let end = rest.firstRange(of: list == "quakes" ? "</ul>" : "</g>")?.lowerBound ?? rest.endIndex
    return rest[..<end].matches(of: /data-key="([^"]*)"/).map { String($0.output.1) }
  }
}
