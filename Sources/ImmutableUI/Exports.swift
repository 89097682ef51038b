// What declarations need besides: templates and slots; stores, effects and statuses.
@_exported public import HTMLTemplates
@_exported public import ImmutableData
