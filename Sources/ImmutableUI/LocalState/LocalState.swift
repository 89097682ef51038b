/// The state that belongs to one window: sort order, search text, selection. It lives in the
/// window's URL.
///
/// ```swift
/// struct Local: LocalState {
///   var search = ""
///   var order = Order.forward
///
///   static let parameters: [Parameter<Self>] = [
///     Parameter(Self.searchField, \.search),
///     Parameter("order", \.order),
///   ]
///   static let searchField = Field.text("search", .search)
/// }
/// ```
///
/// Links change it (``HTMLTemplates/Slot/link(_:_:scrollingTo:change:)``), and GET forms the properties
/// whose parameters are fields.
///
/// A parameter with its default value is not in the URL. A parameter that does not parse, is too
/// long or is unknown is ignored, so a URL never fails a page.
public protocol LocalState: Hashable, Sendable {
  /// The local state of a URL without parameters.
  init()

  /// How each property is written in the URL, in order.
  static var parameters: [Parameter<Self>] { get }

  /// Sets what depends on the window's environment rather than on its URL, such as today's date or
  /// the visitor. Do not set parameters here. It runs again when a window loads, navigates or
  /// reconnects.
  ///
  /// Windows with equal URLs and equal roots share a place, and the place has the local state of one
  /// of them. So if references or the overlay depend on something that is set here, the root has to
  /// keep it.
  mutating func resolve(in environment: WindowEnvironment)
}

extension LocalState {
  public mutating func resolve(in environment: WindowEnvironment) {}

  /// - Parameter query: The query of the window's URL.
  public init(_ query: Query) {
    self.init()
    for parameter in Self.parameters {
      let texts = query.values(of: parameter.name)
      // An empty text stands for the default.
      guard texts.contains(where: { $0.isEmpty == false }), parameter.allows(texts) else {
        continue
      }
      parameter.read(texts, &self)
    }
    self.resetUnused()
  }

  /// The local state from which a component is made. Late properties have their defaults, so that
  /// places which differ in nothing else share a render.
  var withoutLate: Self {
    var local = self
    for parameter in Self.parameters where parameter.isLate { parameter.reset(&local) }
    return local
  }

  /// Resets the properties that currently have no meaning (``Parameter/when(_:)``).
  mutating func resetUnused() {
    let parameters = Self.parameters
    // Each place does this in each frame that concerns it. A loop over the elements would copy each
    // of them, with all its closures.
    for index in parameters.indices where parameters[index].isUsed(self) == false {
      parameters[index].reset(&self)
    }
  }

  /// Sets the properties of these parameters to the values that another local state has.
  mutating func keep(_ names: [String], of other: Self) {
    for parameter in Self.parameters where names.contains(parameter.name) {
      parameter.copy(other, &self)
    }
  }

  /// The query that stands for this local state, and for no other.
  public var query: Query {
    let defaults = Self()
    return Query(Self.parameters.flatMap { $0.items(self, defaults) })
  }
}

/// The local state of a page that has none.
public struct NoLocalState: LocalState {
  public init() {}

  public static let parameters: [Parameter<Self>] = []
}
