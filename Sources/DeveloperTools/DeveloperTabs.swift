import HTMLTemplates
import ImmutableUI

/// Links to the developer pages.
struct DeveloperTabs: Presenter {
  enum Tab { case log, state, windows, time, cost, dispatch, previews }

  @Selected(outputSelector: \.canDispatch) private var canDispatch: Bool
  let current: Tab

  init(current: Tab) {
    self.current = current
  }

  static let template = Template<Self>([
    .link("log", to: DeveloperLog.page()),
    .link("state", to: DeveloperStates.page()),
    .link("windows", to: DeveloperWindows.page()),
    .link("time", to: DeveloperTime.page()),
    .link("cost", to: DeveloperCost.page()),
    .optional("dispatch", [.link("link", to: DeveloperDispatch.page(), isOptional: true)]) {
      $0.canDispatch ? $0 : nil
    },
    .component("recording") { _ in RecordingNotice() },
    .component("banner") { _ in PastBanner() },
    .text("previews") { _ in PreviewPages.path },
    .flag("isLog") { $0.current == .log },
    .flag("isState") { $0.current == .state },
    .flag("isWindows") { $0.current == .windows },
    .flag("isTime") { $0.current == .time },
    .flag("isCost") { $0.current == .cost },
    .flag("isDispatch") { $0.current == .dispatch },
    .flag("isPreviews") { $0.current == .previews },
  ])
}
