// What leads to a page. Navigation has the pages in the order in which they are provided.
extension Page {
  /// The page under another label than its title.
  public func listed(as label: String) -> Self {
    var page = self
    page.navigationLabel = label
    return page
  }

  /// The page, to which navigation does not lead.
  public func unlisted() -> Self {
    var page = self
    page.navigationLabel = nil
    return page
  }
}
