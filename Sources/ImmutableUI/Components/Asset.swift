/// A file that a component needs: a script module, or a style sheet.
///
/// ```swift
/// struct QuakeMap: Component {
///   static let assets: [Asset] = [.style("map.css"), .module("camera.js")]
/// }
/// ```
///
/// A page loads the assets of every component that it can show, each once, after the assets that
/// all pages load. A window that navigates to the page in place loads the ones that it lacks. It
/// keeps the others until its page is reloaded.
public struct Asset: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// A JavaScript module. It runs once for a window, and imports the modules of all pages as
    /// `../window.js`.
    case module
    /// A style sheet.
    case style
  }

  public let kind: Kind
  /// Below the folder of public files.
  public let path: String

  /// - Parameters:
  ///   - name: In the folder of the component's Swift module, below that of public files.
  ///   - file: The Swift file; its module names the folder.
  public static func module(_ name: String, file: StaticString = #fileID) -> Self {
    Self(kind: .module, path: Self.path(name, file))
  }

  /// - Parameters:
  ///   - name: In the folder of the component's Swift module, below that of public files.
  ///   - file: The Swift file; its module names the folder.
  public static func style(_ name: String, file: StaticString = #fileID) -> Self {
    Self(kind: .style, path: Self.path(name, file))
  }

  private static func path(_ name: String, _ file: StaticString) -> String {
    "\(file.description.prefix { $0 != "/" })/\(name)"
  }
}
