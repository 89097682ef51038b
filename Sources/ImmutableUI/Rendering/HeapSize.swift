import HTMLTemplates

// What values take on the heap, in bytes, as glibc and Swift's runtime lay them out on 64 bits. It need not be
// exact: it has to grow as memory does, so that a limit in bytes is one.

/// What an allocation takes besides its contents: the allocator's header and rounding, and an object's own.
private let allocation = 48

extension String {
  /// Up to 15 bytes are in the value itself.
  package var heapSize: Int {
    self.utf8.count > 15 ? self.utf8.count + allocation : 0
  }
}

extension Query {
  package var heapSize: Int {
    self.items.reduce(allocation) { size, item in
      size + MemoryLayout<QueryItem>.stride + item.name.heapSize + item.value.heapSize
    }
  }
}

extension FieldHole {
  fileprivate var heapSize: Int {
    let text = if case .textarea(let text) = self.part { text.heapSize } else { 0 }
    return self.initial.reduce(text + MemoryLayout<Self>.stride) { $0 + $1.heapSize }
  }
}

extension FormFields {
  package var heapSize: Int { self.query.heapSize }
}

extension Array where Element == HTMLWriter.Hole {
  /// The contents of a hole are in a box of their own, with what they refer to.
  var heapSize: Int {
    guard self.isEmpty == false else { return 0 }
    return self.reduce(allocation + self.count * (MemoryLayout<Element>.stride + allocation + 64)) {
      $0 + (($1.content as? FieldHole)?.heapSize ?? 0)
    }
  }
}

extension Array {
  /// Without what the elements refer to.
  package var shallowHeapSize: Int {
    self.isEmpty ? 0 : allocation + self.count * MemoryLayout<Element>.stride
  }
}
