// What tests compare: the answers to submissions.
@_exported public import ImmutableRuntime
