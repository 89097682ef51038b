/// A node of a parsed template: text, or a tag with its content.
indirect enum TemplateNode: Sendable {
  case text(String, TemplatePosition)
  case value(TemplateName, isRaw: Bool)
  case section(TemplateName, isInverted: Bool, [TemplateNode])
  case partial(TemplateName, indentation: String)
  /// `{{<layout}}…{{/layout}}`
  case parent(TemplateName, [TemplateNode])
  /// `{{$block}}…{{/block}}`
  case block(TemplateName, [TemplateNode])
}

/// A name in a tag, and its position.
struct TemplateName: Sendable {
  let text: String
  let position: TemplatePosition

  /// The components between dots; `.` itself is one component.
  var path: [String] {
    self.text == "."
      ? ["."]
      : self.text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
  }
}
