/// Times an operation.
enum Sampling {
  static let samples = 100
  /// How long a sample takes at least, so that reading the clock is nothing beside it.
  private static let shortest = Duration.microseconds(50)

  /// - Returns: The median of an operation, in nanoseconds.
  static func median(
    _ operation: Operation,
    in collection: some ElementCollection
  ) throws -> Double {
    let keys = collection.elements.map(\.a)
    guard let key = keys.dropFirst(keys.count / 2).first else {
      throw Failure(message: "there is no element")
    }
    // No key has it: it is not of the sequence that these are the beginning of.
    let new = StructElement(key ^ 1)
    guard collection[new.a] == nil else { throw Failure(message: "a key is taken") }
    switch operation {
    case .count: return self.median { consume(opaque(collection).count) }
    case .read: return self.median { consume(opaque(collection)[key]) }
    // As a reducer does: what there was stays as it was.
    case .insert: return self.median { Self.change(collection) { $0[new.a] = new } }
    case .update: return self.median { Self.change(collection) { $0[key] = new } }
    case .delete: return self.median { Self.change(collection) { $0[key] = nil } }
    case .sort: return self.median { consume(opaque(collection).sortedElements()) }
    }
  }

  @inline(__always)
  private static func change<Collection>(
    _ collection: Collection,
    by change: (inout Collection) -> Void
  ) {
    var changed = opaque(collection)
    change(&changed)
    consume(changed)
  }

  private static func median(of body: () -> Void) -> Double {
    let clock = ContinuousClock()
    var repeats = 1
    while clock.measure({ for _ in 0..<repeats { body() } }) < self.shortest {
      repeats *= 2
    }
    let times = (0..<self.samples).map { _ in
      clock.measure { for _ in 0..<repeats { body() } } / .nanoseconds(repeats)
    }
    return times.sorted()[times.count / 2]
  }
}

/// A value that the compiler knows nothing of.
@inline(never) @_optimize(none)
func opaque<Value>(_ value: Value) -> Value {
  value
}

/// Makes the compiler believe that a value is used.
@inline(never) @_optimize(none)
func consume<Value>(_ value: Value) {}
