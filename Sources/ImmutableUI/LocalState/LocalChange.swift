/// A change of local state: what a link does. Which properties are set is all that it says.
///
/// ```swift
/// .link("edit", AnimalsLocal.self) { local, model in local.sheet = .edit(model.animal) }
/// .link("cancel", AnimalsLocal.self) { local, _ in local.sheet = nil }
/// ```
///
/// A link lies in HTML that windows with different local state share. So the change reads default
/// values, whatever a window has; what it sets is taken down by the property's key path, its default
/// value too, and a click sets these parameters of the window's URL and no others. A property that is
/// no parameter cannot be set by a link: doing so is a programmer error.
///
/// What is changed together is best given a name:
///
/// ```swift
/// extension LocalChange<AnimalsLocal> {
///   mutating func dismiss() {
///     self.sheet = nil
///     self.seenAnimal = nil
///   }
/// }
/// ```
@dynamicMemberLookup
public struct LocalChange<Local: LocalState> {
  private var local: Local
  /// What was set, in order; bounded by the closure that sets it.
  private var properties: [AnyKeyPath] = []

  private init(_ local: Local) {
    self.local = local
  }

  public subscript<Value>(dynamicMember property: WritableKeyPath<Local, Value>) -> Value {
    get { self.local[keyPath: property] }
    set {
      self.local[keyPath: property] = newValue
      if self.properties.contains(property) == false { self.properties.append(property) }
    }
  }
}

extension LocalChange {
  /// Local state with a change, of a window that has none yet.
  static func local(_ change: (inout Self) -> Void) -> Local {
    var result = Self(Local())
    change(&result)
    return result.local
  }

  /// What a change sets in the URL; an empty value removes a parameter.
  ///
  /// - Parameters:
  ///   - local: What the change reads.
  ///   - parameters: Those of the local state.
  ///   - defaults: The local state of a URL without parameters.
  ///   - change: The change.
  static func items(
    from local: Local = Local(),
    parameters: [Parameter<Local>] = Local.parameters,
    defaults: Local = Local(),
    _ change: (inout Self) -> Void
  ) -> [QueryItem] {
    var result = Self(local)
    change(&result)
    return result.properties.flatMap { property in
      guard let parameter = parameters.first(where: { $0.property as AnyKeyPath == property })
      else {
        preconditionFailure("a link sets \(property), which is no parameter of \(Local.self)")
      }
      let items = parameter.items(result.local, defaults)
      return items.isEmpty ? [QueryItem(name: parameter.name, value: "")] : items
    }
  }
}
