import HTMLTemplates

// The heap size of values in bytes, with the layout of glibc and the Swift runtime on 64 bits. It
// need not be exact, but must grow with the memory used, so that limits in bytes hold.

/// The bytes of an allocation besides its contents: the allocator's header and rounding, and the
/// object's header.
private let allocation = 48

extension String {
  /// Up to 15 bytes are stored in the value itself.
  package var heapSize: Int {
    self.utf8.count > 15 ? self.utf8.count + allocation : 0
  }
}

extension Query {
  package var heapSize: Int { self.items.heapSize }
}

extension [QueryItem] {
  fileprivate var heapSize: Int {
    self.reduce(allocation) { size, item in
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

extension PerWindowHole {
  /// Without what the templates hold anyway, such as the names of forms.
  fileprivate var heapSize: Int {
    switch self {
    case .tag(let region): region.heapSize
    case .link(let items, let target): items.heapSize + (target?.heapSize ?? 0)
    case .lateLink, .attribute: allocation
    case .parameters, .token, .messageID, .message: 0
    }
  }
}

extension FormFields {
  package var heapSize: Int {
    // A hash of 64 characters, or a sentence.
    self.query.heapSize
      + self.pictures.keys.reduce(0) { $0 + $1.heapSize + allocation + 256 }
  }
}

extension Array where Element == HTMLWriter.Hole {
  /// The content of each hole is in its own box.
  var heapSize: Int {
    guard self.isEmpty == false else { return 0 }
    return self.reduce(allocation + self.count * (MemoryLayout<Element>.stride + allocation + 64)) {
      $0 + ($1.content(as: FieldHole.self)?.heapSize ?? 0)
        + ($1.content(as: PerWindowHole.self)?.heapSize ?? 0)
    }
  }
}

extension Array {
  /// The size without the memory that the elements refer to.
  package var shallowHeapSize: Int {
    self.isEmpty ? 0 : allocation + self.count * MemoryLayout<Element>.stride
  }
}
