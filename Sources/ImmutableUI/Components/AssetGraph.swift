/// What each component brings, and which others it can come to show. It is as large as the program's
/// components are many.
struct AssetGraph {
  private struct Node {
    var assets: [Asset] = []
    var children: [ObjectIdentifier] = []
  }

  private var nodes: [ObjectIdentifier: Node] = [:]

  mutating func add(_ assets: [Asset], to owner: ObjectIdentifier) {
    self.nodes[owner, default: Node()].assets += assets
  }

  mutating func add(_ child: ObjectIdentifier, to owner: ObjectIdentifier) {
    self.nodes[owner, default: Node()].children.append(child)
  }

  /// What is brought by a component and those that it can come to show, each once: its own first, then
  /// theirs in the order in which templates name them.
  ///
  /// - Complexity: O(n), n components.
  func assets(of root: ObjectIdentifier) -> [Asset] {
    var (assets, known): ([Asset], Set<Asset>) = ([], [])
    var seen: Set<ObjectIdentifier> = []
    func visit(_ component: ObjectIdentifier) {
      guard seen.insert(component).inserted, let node = self.nodes[component] else { return }
      assets += node.assets.filter { known.insert($0).inserted }
      node.children.forEach(visit)
    }
    visit(root)
    return assets
  }
}
