import ImmutableUI

extension PageContent {
  /// A page that no frame changes.
  ///
  /// - Parameter context: Its path and its local state.
  init(still composition: Composition, assets: [Asset], context: PageContext) {
    self.init(
      path: context.path,
      title: composition.title,
      assets: assets,
      version: 0,
      writer: PageWriter(composition: composition, context: context),
      isWaiting: false,
      isMissing: false,
      wasDeleted: false,
      toast: nil
    )
  }
}
