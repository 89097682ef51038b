import Foundation

/// Measures what the guide measures of the collections that a state can be made of, for
/// `Benchmarks/run`, which knows what the figures mean.
///
/// ```
/// ElementCollections COLLECTION OPERATION N…   prints the times of one operation as JSON
/// ```
///
/// Each run of the program is for one operation on one collection, so that the peak of its resident
/// memory is that of them.
///
/// Source: the guide, chapter Performance, section Benchmarks.
@main enum ElementCollectionsBenchmark {
  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let sizes = arguments.dropFirst(2).compactMap { Int($0) }
    guard let measure = arguments.first.flatMap({ Self.collections[$0] }),
      let operation = arguments.dropFirst().first.flatMap(Operation.init), sizes.isEmpty == false
    else {
      throw Failure(message: "usage: ElementCollections dictionary|tree|store OPERATION N…")
    }
    var times: [Int: Double] = [:]
    for size in sizes {
      times[size] = try await measure(operation, size)
    }
    let result = Result(nanoseconds: times, peakBytes: try Self.peakBytes())
    FileHandle.standardOutput.write(try JSONEncoder().encode(result) + Data("\n".utf8))
  }

  private static let collections: [String: @Sendable (Operation, Int) async throws -> Double] = [
    "dictionary": { operation, size in
      try Sampling.median(operation, in: [Int64: StructElement](elements: StructElement.random(size)))
    },
    "tree": { operation, size in
      try Sampling.median(operation, in: ElementTree(elements: StructElement.random(size)))
    },
    "store": { operation, size in
      try await StoredQuakes.median(operation, of: size)
    },
  ]

  private static func peakBytes() throws -> Int {
    let status = try String(contentsOf: URL(filePath: "/proc/self/status"), encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
    guard let kibibytes = line.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
      throw Failure(message: "the kernel does not tell the peak of memory")
    }
    return kibibytes * 1024
  }
}

enum Operation: String {
  case count, read, insert, update, delete, sort
}

struct Failure: Error {
  let message: String
}

private struct Result: Encodable {
  /// The median of an operation, by the number of elements.
  let nanoseconds: [Int: Double]
  let peakBytes: Int
}
