import Foundation
import ImmutableRuntime
import ImmutableUI
import QuakesData
import Testing
import WindowTesting

@testable import QuakesUI

// Filters, the bars of days, the card and the charts. One after the other, as the other window tests.
@Suite(.serialized) struct QuakesOverviewTests {
  @Test func `filters are counted and can be removed`() async throws {
    let fixture = try await QuakesFixture()

    let window = try await fixture.open("?magnitude=2.5&search=jos%C3%A9")

    #expect(window.text.contains("1 of 3 earthquakes M2.5+ × “josé” × Charts"))
    #expect(window.page.contains("href=\"?search=jos%C3%A9\" aria-label=\"Remove M2.5+\""))
    #expect(window.page.contains("href=\"?magnitude=2.5\" aria-label=\"Remove “josé”\""))
    try await fixture.app.finish()
  }

  @Test(
    arguments: [
      ([.make("sm1"), .make("sm2")], "", "2 made-up earthquakes"),
      ([.make("sm1"), .make("us1")], "", "2 earthquakes, 1 made up"),
      (
        [.make("sm1", name: "Alpha"), .make("us1", name: "Beta")], "?search=beta",
        "1 of 2 earthquakes "
      ),
      (
        [.make("sm1", name: "Alpha"), .make("us1", name: "Beta")], "?search=alpha",
        "1 of 2 earthquakes , 1 made up"
      ),
    ] as [([Quake], String, String)])
  func `made-up earthquakes are counted as such`(
    quakes: [Quake],
    query: String,
    text: String
  ) async throws {
    let fixture = try await QuakesFixture(quakes)

    let window = try await fixture.open(query)

    #expect(window.text.contains(text))
    try await fixture.app.finish()
  }

  @Test(arguments: [
    ("", "Newest Largest", "Oldest first"), ("?order=forward", "Oldest Smallest", "Newest first"),
    ("?sort=magnitude", "Newest Largest", "Smallest first"),
  ])
  func `segments show how the list is sorted`(
    query: String,
    names: String,
    reverse: String
  ) async throws {
    let fixture = try await QuakesFixture()

    let window = try await fixture.open(query)

    #expect(window.text.contains("\(names) ⇅ All M2.5+ M4.5+"))
    #expect(window.html.contains("aria-label=\"\(reverse)\""))
    try await fixture.app.finish()
  }

  @Test(arguments: [
    ("America/Los_Angeles", "2018-02-06"), ("UTC", "2018-02-07"),
    ("Pacific/Auckland", "2018-02-07"),
  ])
  func `a shared link leads to the day of its earthquake where its reader is`(
    zone: String,
    day: String
  ) async throws {
    // At one in the night of February 7.
    let fixture = try await QuakesFixture([.make("night", time: .noon.addingTimeInterval(-39_600))])

    for date in ["2018-02-06", "2018-02-07"] {
      let window = try await fixture.open(
        "?date=\(date)&list=night&map=night&shared=night", zone: zone)

      #expect(window.url == "/quakes?date=\(day)&list=night&map=night&shared=night")
      #expect(window.rows == ["night"])
    }
    try await fixture.app.finish()
  }

  @Test func `after another selection the day stays as the window shows it`() async throws {
    let fixture = try await QuakesFixture()

    let window = try await fixture.open("?date=2018-02-06&list=jose&map=jose&shared=tonga")

    #expect(window.url == "/quakes?date=2018-02-06&list=jose&map=jose")
    try await fixture.app.finish()
  }

  @Test func `a shared link to a missing earthquake shows the day of its sender`() async throws {
    let fixture = try await QuakesFixture()

    let window = try await fixture.open("?date=2018-02-06&list=gone&map=gone&shared=gone")

    #expect(window.url == "/quakes?date=2018-02-06")
    try await fixture.app.finish()
  }

  @Test func `search matches are marked in names`() async throws {
    let fixture = try await QuakesFixture()

    let window = try await fixture.open("?search=jose")

    #expect(window.html.contains("<strong>San <mark>José</mark>, Costa Rica</strong>"))
    try await fixture.app.finish()
  }

  @Test func `an empty list links to the nearest days with earthquakes`() async throws {
    let fixture = try await QuakesFixture()

    let early = try await fixture.open("?date=2018-02-01")
    let between = try await fixture.open("?date=2018-02-06&search=a&magnitude=2.5")
    let late = try await fixture.open("?date=2018-03-01&search=alaska")
    let never = try await fixture.open("?search=atlantis")

    #expect(early.text.contains("There are none on February 1, 2018. Go to February 6, 2018"))
    #expect(early.text.contains("Clear filters") == false)
    #expect(between.text.contains("Clear filters Go to February 7, 2018"))
    // The current day, without its date.
    let link = late.page.firstMatch(of: /<a class="button quiet"([^>]*)>Go to February 7, 2018</)
    #expect(link?.output.1.contains("href=\"?search=alaska\"") == true)
    #expect(never.text.contains("Clear filters"))
    #expect(never.text.contains("Go to") == false)
    try await fixture.app.finish()
  }

  @Test func `places are suggested, the most common first`() async throws {
    let fixture = try await QuakesFixture([
      .make("a", name: "4km W of Castaic, CA"), .make("b", name: "Tonga"),
      .make("c", name: "1km E of Anza, CA"), .make("d", time: .at(-2), name: "Peru"),
    ])

    let window = try await fixture.open("?search=tonga")

    #expect(
      window.html.contains(
        "<datalist id=\"places\"><option value=\"CA\"></option><option value=\"Tonga\"></option>"
          + "</datalist>"
      )
    )
    try await fixture.app.finish()
  }

  @Test func `deleting an earthquake sends only the bar of its day`() async throws {
    let fixture = try await QuakesFixture()
    let window = try await fixture.open("?list=jose&map=jose")
    let other = try await fixture.open("?date=2018-02-06")
    #expect(other.html.contains("aria-label=\"Today, 3 earthquakes, largest M7.5\""))
    #expect(other.html.contains("aria-label=\"February 6, 1 earthquake, largest M3.0\""))
    #expect(other.html.contains("aria-label=\"January 9, no earthquakes\""))
    let before = fixture.app.windows.counts

    try await window.submit("deleteSelected", ["quakeId": "jose"])
    try await fixture.app.settle()

    try await other.expect("1 earthquake")
    #expect(other.html.contains("aria-label=\"Today, 2 earthquakes, largest M7.5\""))
    _ = try window.receive()
    #expect((fixture.app.windows.counts - before).rowRenders == 1)
    try await fixture.app.finish()
  }

  @Test func `the shown day is marked, and all days share the bars`() async throws {
    let fixture = try await QuakesFixture()
    let today = try await fixture.open()
    let before = fixture.app.windows.counts

    let window = try await fixture.open("?date=2018-02-06")

    #expect(today.page.contains("data-key=\"2018-02-07\" data-overlay=\"aria-current\""))
    #expect(window.page.contains("data-key=\"2018-02-06\" data-overlay=\"aria-current\""))
    // One row of the list, and one marker.
    #expect((fixture.app.windows.counts - before).rowRenders == 2)
    try await fixture.app.finish()
  }

  @Test func `without a selection, the day and its largest earthquake are named`() async throws {
    let fixture = try await QuakesFixture()
    let window = try await fixture.open()
    #expect(window.text.contains("Today, Wednesday, February 7 Largest: M7.5, Tonga"))

    try await window.submit("deleteSelected", ["quakeId": "tonga"])
    try await fixture.app.settle()

    try await window.expect("Largest: M5.0, San José, Costa Rica")
    let other = try await fixture.open("?date=2018-02-06")
    #expect(other.text.contains("Tuesday, February 6, 2018 The only one: M3.0, Before"))
    let none = try await fixture.open("?search=nowhere")
    #expect(none.text.contains("Largest: ") == false)
    try await fixture.app.finish()
  }

  @Test func `the card has the details of the selected earthquake`() async throws {
    let quake = Quake(
      quakeId: "us1000chhc",
      magnitude: 6.41,
      time: .at(9),
      updated: .at(9),
      name: "Hualien, Taiwan",
      longitude: 121.658,
      latitude: -24.132,
      depth: 17.26,
      felt: 1_234
    )
    let fixture = try await QuakesFixture([quake, .make("sm1")])

    let window = try await fixture.open("?list=us1000chhc&map=us1000chhc&search=taiwan")
    let sample = try await fixture.open("?list=sm1&map=sm1")
    let elsewhere = try await fixture.open("?list=us1000chhc&map=us1000chhc", zone: "Asia/Tokyo")

    #expect(
      window.text.contains(
        "6.4 Hualien, Taiwan Wednesday, February 7, 2018 at 9:00:00 AM GMT "
          + "When Feb 7, 2018 at 9:00 AM UTC Depth 17.3 km Coordinates 24.13° S, 121.66° E "
          + "Felt by 1,234 people Details at USGS Copy link ×"
      )
    )
    // Where clocks show something else, the card has both.
    #expect(elsewhere.text.contains("UTC Feb 7, 2018 at 9:00 AM Depth"))
    #expect(window.html.contains("https://earthquake.usgs.gov/earthquakes/eventpage/us1000chhc"))
    #expect(
      window.page.contains("href=\"?date=2018-02-07&amp;shared=us1000chhc&amp;list=us1000chhc"))
    #expect(sample.text.contains("Depth Unknown"))
    #expect(sample.text.contains("Felt") == false)
    #expect(sample.html.contains("usgs.gov") == false)
    try await fixture.app.finish()
  }

  @Test func `charts are drawn when opened, from the listed earthquakes`() async throws {
    let fixture = try await QuakesFixture()
    let closed = try await fixture.open("?magnitude=2.5")

    let window = try await fixture.open("?magnitude=2.5&charts=true")

    #expect(closed.html.contains("<figure") == false)
    #expect(window.text.contains("2 earthquakes of February 7, 2018"))
    #expect(
      window.html.contains(
        "<th scope=\"row\">7.5 to 7.9</th><td>1</td></tr><tr><th scope=\"row\">5.0 to")
    )
    #expect(window.text.contains("Depths are unknown."))
    try await window.submit("deleteSelected", ["quakeId": "jose"])
    try await fixture.app.settle()
    try await window.expect("1 earthquake of February 7, 2018")
    try await closed.expect("1 of 2 earthquakes")
    try await fixture.app.finish()
  }
}

struct ChartTests {
  @Test func `each bar covers half a magnitude`() {
    let chart = MagnitudeChart(
      [0.2, 2.44, 2.46, 2.96, 4.5, 10].map { Quake.make("a", magnitude: $0) }
    )

    let rows = chart.bins.filter { $0.count > 0 }.map { "\($0.name): \($0.count)" }
    #expect(
      rows == [
        "Below 0.5: 1", "2.0 to 2.4: 1", "2.5 to 2.9: 1", "3.0 to 3.4: 1", "4.5 to 4.9: 1",
        "10.0 to 10.4: 1",
      ]
    )
  }

  @Test func `a chart of nothing is empty`() {
    #expect(MagnitudeChart([]).bins.allSatisfy { $0.count == 0 })
    #expect(DepthChart([]).quakes.isEmpty)
    #expect(DepthChart([.make("a")]).unknown == 1)
  }
}
