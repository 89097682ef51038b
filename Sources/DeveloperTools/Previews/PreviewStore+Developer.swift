import Foundation
import ImmutableData
import ImmutableRuntime
import ImmutableUI

// Sample states of the developer pages: what a product with a number has done.
extension PreviewStore<DeveloperState> {
  /// Nothing recorded yet.
  static var empty: Self { PreviewStore(DeveloperState()) }

  /// Two actions, a refusal, and three windows.
  static var recorded: Self { Self.recorded(decode: nil) }

  /// The same, where actions can be dispatched by hand.
  static var dispatching: Self { Self.recorded { _, _ in nil } }

  /// The same, where the product has refused it.
  static var dispatchRefused: Self {
    PreviewStore(
      Self.dispatching.state,
      after: [
        .recorder(.didDispatch(id: "one", error: "Sample refused it: It cannot go any further."))
      ],
      DeveloperReducer.reduce
    )
  }

  private static func recorded(
    decode: DeveloperState.Decode?
  ) -> Self {
    PreviewStore(
      DeveloperState(
        productOfPage: { $0 == "/nowhere" ? nil : "Sample" },
        causes: { _, entry in entry.refusal == nil ? RegionCause.samples : nil },
        decode: decode
      ),
      after: [
        .recorder(.didBegin(states: ["Sample": SampleState(), "Other": 0])),
        .recorder(.didRecord([.sample(1), .sample(2), .refused(3)])),
        .recorder(
          .didSeeWindows([
            .sample(1, "/animals/Dog"), .sample(2, "/counter"), .sample(3, "/counter"),
          ])),
      ],
      DeveloperReducer.reduce
    )
  }

  /// Nothing is recorded now.
  static var paused: Self {
    PreviewStore(Self.recorded.state, after: [.ui(.onTapPauseButton)], DeveloperReducer.reduce)
  }
}

private struct SampleState: Sendable {
  var value = 0
  var name = "Sample"
  var numbers = Array(0..<250)
}

private enum SampleAction: Codable, Sendable {
  case didTapIncrementButton
  case didRename(name: String)
}

private struct SampleRefusal: Error, CustomStringConvertible {
  let description = "It cannot go any further."
}

extension Recorded {
  fileprivate static func sample(_ number: Int) -> Self {
    Self.make(
      number,
      number.isMultiple(of: 2) ? .didRename(name: "Number \(number)") : .didTapIncrementButton,
      .success(SampleState(value: number))
    )
  }

  fileprivate static func refused(_ number: Int) -> Self {
    Self.make(number, .didTapIncrementButton, .failure(SampleRefusal()))
  }

  private static func make(
    _ number: Int,
    _ action: SampleAction,
    _ result: Result<any Sendable, any Error>
  ) -> Self {
    Self(
      time: WindowEnvironment.preview.date.addingTimeInterval(Double(number)),
      dispatch: ProductDispatch(
        product: "SampleState",
        dispatch: Dispatch(
          action: action,
          origin: .form(name: "increment", path: "/counter", window: "AAAAAAAAAAAAAAAAAAAAAA"),
          oldState: SampleState(value: number - 1),
          result: result,
          version: UInt64(number),
          duration: .microseconds(10 * number)
        )
      )
    )
  }
}

extension RegionCause {
  fileprivate static var samples: [Self] {
    [
      Self(
        name: "root", component: "Content", change: .none, duration: nil, bytes: 1_200,
        selectors: [.sample("SelectName", .refused), .sample(nil, .sameDependencies)]),
      Self(
        name: "number", component: "Number", change: .changed, duration: .microseconds(120),
        bytes: 90,
        selectors: [.sample("SelectValue", .changed), .sample("SelectName", .sameOutput)]),
      Self(
        name: "hint", component: "", change: .appeared, duration: nil, bytes: 40, selectors: []),
    ]
  }
}

extension SelectorCause {
  fileprivate static func sample(_ label: String?, _ outcome: Outcome) -> Self {
    Self(label: label, position: "Sample/Select.swift:12", outcome: outcome)
  }
}

extension ShownWindow {
  fileprivate static func sample(_ number: UInt64, _ url: String) -> Self {
    var generator = SampleGenerator(number: number)
    return Self(
      id: Identifier(using: &generator),
      product: "SampleState",
      url: url,
      place: url.utf8.count,
      bytes: 4_000
    )
  }
}

private struct SampleGenerator: RandomNumberGenerator {
  let number: UInt64

  func next() -> UInt64 { self.number }
}

extension Surroundings {
  /// A developer page.
  static let developer = Self("<div class=\"developer\">", "</div>")
}
