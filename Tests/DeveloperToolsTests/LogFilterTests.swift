import Foundation
import ImmutableData
import ImmutableRuntime
import Synchronization
import Testing

@testable import DeveloperTools

/// Which rows the log shows.
struct LogFilterTests {
  private static let window = "AAAAAAAAAAAAAAAAAAAAAA"

  /// Two windows' forms, what their effects did, and what came from elsewhere.
  private func makeState() throws -> DeveloperState {
    func form(_ window: String?) -> ActionOrigin { .form(name: "save", path: "/", window: window) }
    let other = "BBBBBBBBBBBBBBBBBBBBBB"
    let actions: [Recorded] = [
      .make(1, "Test", from: form(Self.window)),
      .make(2, "Test", from: form(other)),
      .make(3, "Test", from: .effect(name: "save", version: 1)),
      .make(4, "Test", from: .effect(name: "save", version: 2)),
      .make(5, "Test", from: .effect(name: "tell", version: 3)),
      // The same version of another store.
      .make(6, "Other", from: .effect(name: "save", version: 1)),
      .make(7, "Test", from: .page(path: "/")),
      .make(8, "Test", from: form(nil)),
      .make(9, "Test", from: .outside(name: "feed")),
      // It has the version of the last that was accepted, which is not the window's.
      .make(9, "Test", from: form(Self.window), isRefused: true),
      .make(10, "Test", from: .effect(name: "feed", version: 9)),
      .make(11, "Test", from: nil),
    ]
    return try DeveloperReducer.reduce(
      state: DeveloperState(),
      action: .recorder(.didRecord(actions.map { .action($0) })))
  }

  @Test func `a window has the actions of its forms and of their effects`() throws {
    let rows = try self.makeState().rows(LogFilter(window: Self.window), limit: 100)

    #expect(rows.compactMap(\.entry?.id) == [10, 5, 3, 1])
  }

  @Test func `the effects of an action that is no longer recorded are nobody's`() throws {
    var state = try self.makeState()
    state = try DeveloperReducer.reduce(state: state, action: .ui(.onTapClearButton))
    state = try DeveloperReducer.reduce(
      state: state,
      action: .recorder(
        .didRecord([.action(.make(12, "Test", from: .effect(name: "save", version: 1)))])))

    #expect(state.rows(LogFilter(window: Self.window), limit: 100).isEmpty)
    #expect(state.rows(LogFilter(), limit: 100).count == 1)
  }

  @Test func `an action's name has to be the whole name`() throws {
    let state = try self.makeState()

    #expect(state.rows(LogFilter(action: "did"), limit: 100).isEmpty)
    #expect(state.rows(LogFilter(action: "didSave"), limit: 100).count == 12)
    #expect(state.rows(LogFilter(action: "didSave"), limit: 5).compactMap(\.entry?.id).count == 5)
    #expect(
      state.rows(LogFilter(product: "Other", action: "didSave"), limit: 100)
        .compactMap(\.entry?.id) == [6])
  }

  @Test func `the text of an action is made for the first search, and not before`() throws {
    let made = Count()
    let state = try DeveloperReducer.reduce(
      state: DeveloperState(),
      action: .recorder(
        .didRecord([.action(.make(1, "Test", LoudAction.didCall(Loud(made: made)), from: nil))])))

    #expect(state.rows(LogFilter(action: "didCall"), limit: 100).count == 1)
    #expect(made.value == 0)
    #expect(state.rows(LogFilter(search: "LOUD didcall"), limit: 100).count == 1)
    #expect(state.rows(LogFilter(search: "quiet"), limit: 100).isEmpty)
    #expect(made.value == 1)
  }
}

private enum Action: Sendable { case didSave }

/// Its payload counts how often its text is made.
private enum LoudAction: Sendable { case didCall(Loud) }

private struct Loud: CustomStringConvertible, CustomReflectable, Sendable {
  let made: Count

  var description: String {
    self.made.add()
    return "loud"
  }

  var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .struct) }
}

private final class Count: Sendable {
  private let number = Mutex(0)

  var value: Int { self.number.withLock { $0 } }

  func add() { self.number.withLock { $0 += 1 } }
}

extension Recorded {
  fileprivate static func make(
    _ version: UInt64, _ product: String, _ action: any Sendable = Action.didSave,
    from origin: ActionOrigin?, isRefused: Bool = false
  ) -> Self {
    let dispatch = Dispatch<any Sendable, any Sendable>(
      action: action, origin: origin, oldState: 0,
      result: isRefused ? .failure(CancellationError()) : .success(1), version: version,
      duration: .zero)
    return Self(
      time: .now, dispatch: ProductDispatch(product: "\(product)State", dispatch: dispatch))
  }
}
