import AnimalsData
import Foundation
import HTTPConnections
import HTTPTypes
import Hummingbird
import NIOCore

// The catalog.
extension API {
  /// Executes a request: its queries, then its mutations, in order. Each list is read only once,
  /// however often the request asks for it.
  ///
  /// - Parameter client: The client, for its share of the lists that are being sent.
  /// - Throws: The store's error for a query, or `HTTPFailure`, 503, if the client has too many
  ///   answers, and no mutation is done; ``MutationError`` for a mutation, and those before it are
  ///   done.
  func answer(_ request: RemoteRequest, to client: String) async throws -> Response {
    var lists: [RemoteRequest.Query: EncodedList] = [:]
    for query in request.query ?? [] where lists[query] == nil {
      lists[query] = try await self.reads.list(query)
    }
    let sent = try self.reads.hold(Array(lists.values), for: client)
    var members: [[Data]] = []
    if let queries = request.query {
      members.append(Self.member("query", queries.compactMap { lists[$0]?.json }))
    }
    if let mutations = request.mutation {
      let answers = try await self.store.response(to: mutations)
      members.append(Self.member("mutation", try answers.map { try JSONEncoder().encode($0) }))
    }
    let pieces =
      [Data("{".utf8)] + members.joined(separator: [Data(",".utf8)]) + [Data("}".utf8)]
    return Response(
      status: .ok,
      headers: [.contentType: "application/json"],
      body: Self.body(pieces, keeping: sent)
    )
  }

  /// A member of a JSON object: an array.
  private static func member(_ name: String, _ elements: [Data]) -> [Data] {
    [Data("\"\(name)\":[".utf8)]
      + elements.map { [$0] }.joined(separator: [Data(",".utf8)]) + [Data("]".utf8)]
  }

  /// - Parameter sent: They count as being sent until the client has read the last piece.
  private static func body(_ pieces: [Data], keeping sent: SentLists) -> ResponseBody {
    let count = pieces.reduce(0) { $0 + $1.count }
    return ResponseBody(contentLength: count) { writer in
      defer { withExtendedLifetime(sent) {} }
      for piece in pieces {
        for start in stride(from: 0, to: piece.count, by: ResponseBody.pieceLength) {
          let end = min(start + ResponseBody.pieceLength, piece.count)
          try await writer.write(ByteBuffer(bytes: piece[start..<end]))
        }
      }
      try await writer.finish(nil)
    }
  }
}
