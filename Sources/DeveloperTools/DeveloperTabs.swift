import HTMLTemplates
import ImmutableUI

/// Links to the developer pages.
struct DeveloperTabs: Presenter {
  enum Tab { case log, state, windows, time, previews }

  let current: Tab

  static let template = Template<Self>([
    .link("log", to: DeveloperLog.page()),
    .link("state", to: DeveloperStates.page()),
    .link("windows", to: DeveloperWindows.page()),
    .link("time", to: DeveloperTime.page()),
    .text("previews") { _ in PreviewPages.path },
    .flag("isLog") { $0.current == .log },
    .flag("isState") { $0.current == .state },
    .flag("isWindows") { $0.current == .windows },
    .flag("isTime") { $0.current == .time },
    .flag("isPreviews") { $0.current == .previews },
  ])
}
