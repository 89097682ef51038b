/// What each component brings, and which others it can come to show. It is as large as the program's
/// components are many.
struct AssetGraph {
  private struct Node {
    var assets: [Asset] = []
    var children: [ObjectIdentifier] = []
  }

  private var nodes: [ObjectIdentifier: Node] = [:]
  /// Those that were prepared for themselves, in order: the roots of pages.
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

  /// What is brought by a component and those that it can come to show, each once: its own first, then
  /// theirs in the order in which templates name them.
  ///
  /// - Complexity: O(n), n components.
  func assets(of root: ObjectIdentifier) -> [Asset] {
    self.reach(from: root).assets
  }

  /// What is brought by the roots that can come to show a component, or are it, each once.
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
