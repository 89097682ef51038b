// What a program needs besides to serve products: `WindowGroup`.
@_exported public import ImmutableRuntime
