/// A parsed template: text, and tags with what they enclose.
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

/// What a tag names, and where.
struct TemplateName: Sendable {
  let text: String
  let position: TemplatePosition

  /// The parts between dots; `.` itself is one.
  var path: [String] {
    self.text == "."
      ? ["."]
      : self.text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
  }
}
