// What a program needs besides to serve products: `WindowGroup`, and a log that is not text.
@_exported public import ImmutableRuntime

@_exported public import struct HTTPConnections.JSONLogHandler
