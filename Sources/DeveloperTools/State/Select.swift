import ImmutableData
import ImmutableRuntime
import ImmutableUI

/// Selects the names of the products.
@propertyWrapper struct SelectProducts: Hashable, Sendable {
  @ImmutableUI.Selector(outputSelector: { (state: DeveloperState) in state.products })
  var wrappedValue: [String]

  init() {}
}

/// Selects the newest rows of the log.
@propertyWrapper struct SelectLog: Hashable, Sendable {
  @ImmutableUI.Selector<DeveloperState.Store, [LogRow]> var wrappedValue: [LogRow]

  init(_ filter: LogFilter, limit: Int) {
    self._wrappedValue = ImmutableUI.Selector(
      id: filter, outputSelector: { (state: DeveloperState) in state.rows(filter, limit: limit) })
  }
}

/// Selects the entries of a page's product around one.
@propertyWrapper struct SelectHistory: Hashable, Sendable {
  @ImmutableUI.Selector<DeveloperState.Store, DeveloperState.History>
  var wrappedValue: DeveloperState.History

  init(of url: String, around id: Int?, limit: Int) {
    self._wrappedValue = ImmutableUI.Selector(
      id: [url, id.map { "\($0)" } ?? ""],
      outputSelector: { (state: DeveloperState) in
        state.history(ofPage: url, around: id, limit: limit)
      }
    )
  }

  init(ofProduct product: String, around id: Int?, limit: Int) {
    self._wrappedValue = ImmutableUI.Selector(
      id: [product, id.map { "\($0)" } ?? ""],
      outputSelector: { (state: DeveloperState) in
        state.history(of: product, around: id, limit: limit)
      }
    )
  }
}

/// Selects the effect of an action on a page.
@propertyWrapper struct SelectCauses: Hashable, Sendable {
  @ImmutableUI.Selector<DeveloperState.Store, Entry?, DeveloperState.Causes?>
  var wrappedValue: DeveloperState.Causes?

  init(of url: String, upTo id: Int?, in environment: PageTime) {
    self._wrappedValue = ImmutableUI.Selector(
      id: [url, id.map { "\($0)" } ?? "", environment.description],
      dependencySelector: DeveloperState.selectEntry(of: url, upTo: id),
      outputSelector: { $0.causes(of: url, upTo: id, in: environment) }
    )
  }
}

/// Selects one entry.
@propertyWrapper struct SelectEntry: Hashable, Sendable {
  @ImmutableUI.Selector<DeveloperState.Store, Entry?> var wrappedValue: Entry?

  init(_ id: Int?) {
    self._wrappedValue = ImmutableUI.Selector(
      id: id,
      outputSelector: DeveloperState.selectEntry(id)
    )
  }
}

/// Selects the page that an action came from.
@propertyWrapper struct SelectEntryPage: Hashable, Sendable {
  @ImmutableUI.Selector<DeveloperState.Store, DeveloperState.EntryPage?>
  var wrappedValue: DeveloperState.EntryPage?

  init(_ id: Int?) {
    self._wrappedValue = ImmutableUI.Selector(
      id: id,
      outputSelector: { (state: DeveloperState) in state.page(of: id) }
    )
  }
}

/// Selects whether actions can be dispatched by hand.
@propertyWrapper struct SelectCanDispatch: Hashable, Sendable {
  @ImmutableUI.Selector(outputSelector: { (state: DeveloperState) in state.program.decode != nil })
  var wrappedValue: Bool

  init() {}
}

/// Selects why a product refused the newest dispatch by hand.
@propertyWrapper struct SelectDispatchFailure: Hashable, Sendable {
  @ImmutableUI.Selector(outputSelector: { (state: DeveloperState) in state.dispatchFailure })
  var wrappedValue: String?

  init() {}
}

/// Selects the newest action of each kind that can be written as JSON.
@propertyWrapper struct SelectExamples: Hashable, Sendable {
  @ImmutableUI.Selector(outputSelector: { (state: DeveloperState) in state.examples(limit: 100) })
  var wrappedValue: [Entry]

  init() {}
}

/// Selects the size of the recording.
@propertyWrapper struct SelectCounts: Hashable, Sendable {
  @ImmutableUI.Selector(outputSelector: { (state: DeveloperState) in state.counts })
  var wrappedValue: DeveloperState.Counts

  init() {}
}

/// Selects why a recording to a file has stopped.
@propertyWrapper struct SelectRecordingEnd: Hashable, Sendable {
  @ImmutableUI.Selector(outputSelector: { (state: DeveloperState) in state.recordingEnd })
  var wrappedValue: RecordingEnd?

  init() {}
}

/// Selects the recording that is shown instead of a running program.
@propertyWrapper struct SelectLoaded: Hashable, Sendable {
  @ImmutableUI.Selector(outputSelector: { (state: DeveloperState) in state.loaded })
  var wrappedValue: LoadedRecording?

  init() {}
}

/// Selects the open windows.
@propertyWrapper struct SelectWindows: Hashable, Sendable {
  @ImmutableUI.Selector(outputSelector: { (state: DeveloperState) in state.windows })
  var wrappedValue: [ShownWindow]

  init() {}
}

/// Selects the browsers with a simulated network.
@propertyWrapper struct SelectSlowed: Hashable, Sendable {
  @ImmutableUI.Selector(outputSelector: { (state: DeveloperState) in state.slowed })
  var wrappedValue: [SlowedBrowser]

  init() {}
}

/// Selects a browser.
@propertyWrapper struct SelectBrowser: Hashable, Sendable {
  @ImmutableUI.Selector<DeveloperState.Store, DeveloperState.Browser?>
  var wrappedValue: DeveloperState.Browser?

  init(_ name: String) {
    self._wrappedValue = ImmutableUI.Selector(
      id: name,
      outputSelector: { (state: DeveloperState) in state.browser(name) }
    )
  }
}

/// Selects the shown past.
@propertyWrapper struct SelectPast: Hashable, Sendable {
  @ImmutableUI.Selector(outputSelector: { (state: DeveloperState) in state.shownPast })
  var wrappedValue: DeveloperState.Past?

  init() {}
}

/// Selects the result of a fork's plan.
@propertyWrapper struct SelectFork: Hashable, Sendable {
  @ImmutableUI.Selector<DeveloperState.Store, [Entry], Fork?> var wrappedValue: Fork?

  init(_ plan: ForkPlan) {
    self._wrappedValue = ImmutableUI.Selector(
      id: plan,
      dependencySelector: DeveloperState.selectForkEntries(from: plan.from),
      outputSelector: { $0.fork(plan) }
    )
  }
}

/// Selects a part of a product's state.
@propertyWrapper struct SelectStatePart: Hashable, Sendable {
  @ImmutableUI.Selector<DeveloperState.Store, [DeveloperState.Basis], StatePart>
  var wrappedValue: StatePart

  init(product: String, after id: Int?, at path: Path, from start: Int) {
    self._wrappedValue = ImmutableUI.Selector(
      id: [product, id.map { "\($0)" } ?? "", path.description, "\(start)"],
      // A large table takes a while.
      dependencySelector: DeveloperState.selectBasis(of: product, after: [id]),
      outputSelector: { StatePart(of: product, after: id, at: path, from: start, in: $0) }
    )
  }
}
