// The page's entry in the navigation, which lists pages in the order in which they are provided.
extension Page {
  /// The page with a label other than its title.
  public func listed(as label: String) -> Self {
    var page = self
    page.navigationLabel = label
    return page
  }

  /// The page without an entry in the navigation.
  public func unlisted() -> Self {
    var page = self
    page.navigationLabel = nil
    return page
  }
}
