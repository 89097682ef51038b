import HTMLTemplates

/// What a link does to local state: it assigns to properties. Only the properties that it assigns
/// to change.
///
/// ```swift
/// .link("edit", AnimalsLocal.self) { local, model in local.sheet.value = .edit(model.animal) }
/// .link("cancel", AnimalsLocal.self) { local, _ in local.sheet.value = nil }
/// ```
///
/// Windows with different local state share the HTML of a link. So in the closure all properties
/// have their default values. The properties that it sets, even to their defaults, are recorded by
/// key path. A click sets these parameters of the window's URL and leaves the others. A property that
/// is not a parameter cannot be set: a render ignores it and logs that once, which fails a
/// `TestApp`.
///
/// Give a name to properties that are changed together:
///
/// ```swift
/// extension LocalChange<AnimalsLocal> {
///   mutating func dismiss() {
///     self.sheet.value = nil
///     self.seenAnimal = nil
///   }
/// }
/// ```
@dynamicMemberLookup
public struct LocalChange<Local: LocalState> {
  private var local: Local
  /// The recorded assignments, in order. Bounded by the closure that makes them.
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
  /// The default local state with a change.
  static func local(_ change: (inout Self) -> Void) -> Local {
    var result = Self(Local())
    change(&result)
    if let property = result.stray(of: Local.parameters) { Self.report(property) }
    return result.local
  }

  /// The parameters that a change sets in the URL; an empty value removes a parameter.
  ///
  /// - Parameters:
  ///   - local: The local state that the change reads.
  ///   - parameters: The parameters of the local state.
  ///   - change: The change.
  static func items(
    from local: Local? = nil,
    parameters: ParameterIndex<Local> = ParameterIndex(),
    _ change: (inout Self) -> Void
  ) -> [QueryItem] {
    let defaults = parameters.defaults
    var result = Self(local ?? defaults)
    change(&result)
    result.resetDependents(parameters)
    return result.properties.flatMap { property -> [QueryItem] in
      guard let parameter = parameters[property] else {
        Self.report(property)
        return []
      }
      let items = parameter.items(result.local, defaults)
      return items.isEmpty ? [QueryItem(name: parameter.name, value: "")] : items
    }
  }

  /// Resets the parameters that depend on those that were set, unless they were set too. Each
  /// follows the last one that resets it.
  private mutating func resetDependents(_ parameters: ParameterIndex<Local>) {
    for index in self.properties.indices.reversed() {
      for parameter in parameters.dependents(of: self.properties[index]).reversed() {
        guard self.properties.contains(parameter.property) == false else { continue }
        parameter.reset(&self.local)
        self.properties.insert(parameter.property, at: index + 1)
      }
    }
  }

  /// Checks a change that depends on no model.
  ///
  /// - Throws: `TemplateError` if it sets a property that is not a parameter.
  static func check(_ change: (inout Self) -> Void, at position: TemplatePosition) throws {
    var result = Self(Local())
    change(&result)
    if let property = result.stray(of: Local.parameters) {
      throw position.error(Self.mistake(property))
    }
  }

  /// The first property that was set and is not a parameter.
  private func stray(of parameters: [Parameter<Local>]) -> AnyKeyPath? {
    self.properties.first { property in
      parameters.contains { $0.property as AnyKeyPath == property } == false
    }
  }

  private static func report(_ property: AnyKeyPath) {
    Rendering.context?.counters.report(self.mistake(property))
  }

  private static func mistake(_ property: AnyKeyPath) -> String {
    "a link or form sets \(property), which is no parameter of \(Local.self)"
  }
}

/// The parameters of a local state by their property. Links to thousands of rows look them up, and
/// comparing two key paths is slow.
struct ParameterIndex<Local: LocalState>: Sendable {
  let defaults = Local()
  /// The parameters by the hash of their property. Bounded by the parameters.
  private let parameters: [Int: [Parameter<Local>]]
  /// The parameters that a property resets, by the hash of the property. Bounded by the parameters.
  private let dependents: [Int: [Parameter<Local>]]

  init() {
    self.parameters = Dictionary(grouping: Local.parameters) {
      ($0.property as AnyKeyPath).hashValue
    }
    self.dependents = Local.parameters.reduce(into: [:]) { dependents, parameter in
      for property in parameter.resetters {
        dependents[(property as AnyKeyPath).hashValue, default: []].append(parameter)
      }
    }
  }

  /// - Complexity: O(1).
  subscript(property: AnyKeyPath) -> Parameter<Local>? {
    self.parameters[property.hashValue]?.first { $0.property as AnyKeyPath == property }
  }

  /// The parameters that are reset when a property is set, in order.
  ///
  /// - Complexity: O(1).
  func dependents(of property: AnyKeyPath) -> [Parameter<Local>] {
    guard let dependents = self.dependents[property.hashValue] else { return [] }
    return dependents.filter { $0.resetters.contains { $0 as AnyKeyPath == property } }
  }

  /// What a form with fields resets, in the order of the parameters.
  ///
  /// - Parameter fields: The names of its fields.
  func items(resetBy fields: Set<String>) -> [QueryItem] {
    Local.parameters.filter { parameter in
      parameter.resetters.contains { self[$0].map { fields.contains($0.name) } == true }
        && fields.contains(parameter.name) == false
    }
    .map { QueryItem(name: $0.name, value: "") }
  }
}
