/// The assets of each component, and the other components that it can show. Its size is bounded by
/// the number of components in the program.
struct AssetGraph {
  private struct Node {
    var assets: [Asset] = []
    var children: [ObjectIdentifier] = []
  }

  private var nodes: [ObjectIdentifier: Node] = [:]
  /// The roots of pages, in the order in which they were prepared.
  private var roots: [ObjectIdentifier] = []

  mutating func add(_ assets: [Asset], to owner: ObjectIdentifier) {
    self.nodes[owner, default: Node()].assets += assets
  }

  mutating func add(root: ObjectIdentifier) {
    self.roots.append(root)
  }

  mutating func add(_ child: ObjectIdentifier, to owner: ObjectIdentifier) {
    self.nodes[owner, default: Node()].children.append(child)
  }

  /// The assets of a component and of those that it can show, each once: its own first, then theirs
  /// in the order in which templates name them.
  ///
  /// - Complexity: O(n), n components.
  func assets(of root: ObjectIdentifier) -> [Asset] {
    self.reach(from: root).assets
  }

  /// The assets of a component's roots, each once: the roots that can show the component, or the
  /// component itself if it is a root.
  ///
  /// - Complexity: O(r n), n components, r roots.
  func assets(around component: ObjectIdentifier) -> [Asset] {
    var known: Set<Asset> = []
    return self.roots.map(self.reach)
      .filter { $0.components.contains(component) }
      .flatMap(\.assets)
      .filter { known.insert($0).inserted }
  }

  private func reach(
    from root: ObjectIdentifier
  ) -> (assets: [Asset], components: Set<ObjectIdentifier>) {
    var (assets, known): ([Asset], Set<Asset>) = ([], [])
    var seen: Set<ObjectIdentifier> = []
    func visit(_ component: ObjectIdentifier) {
      guard seen.insert(component).inserted, let node = self.nodes[component] else { return }
      assets += node.assets.filter { known.insert($0).inserted }
      node.children.forEach(visit)
    }
    visit(root)
    return (assets, components: seen)
  }
}
