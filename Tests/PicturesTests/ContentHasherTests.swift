import Testing

@testable import Pictures

struct ContentHasherTests {
  /// As Python's hashlib has them, of 0, 1, 2 … 250, 0, 1 …
  @Test(arguments: [
    (0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    (1, "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"),
    (55, "463eb28e72f82e0a96c0a4cc53690c571281131f672aa229e0d45ae59b598b59"),
    (56, "da2ae4d6b36748f2a318f23e7ab1dfdf45acdc9d049bd80e59de82a60895f562"),
    (63, "29af2686fd53374a36b0846694cc342177e428d1647515f078784d69cdb9e488"),
    (64, "fdeab9acf3710362bd2658cdc9a29e8f9c757fcf9811603a8c447cd1d9151108"),
    (65, "4bfd2c8b6f1eec7a2afeb48b934ee4b2694182027e6d0fc075074f2fabb31781"),
    (1000, "4e4c294b331f7a2099a379bec34b9f9fc03dc46ab465d998f4d683da53487e6d"),
  ])
  func `a hash matches other implementations regardless of chunk sizes`(
    count: Int,
    hash: String
  ) {
    let bytes = (0..<count).map { UInt8($0 % 251) }

    for length in [1, 7, 64, 200] {
      var hasher = ContentHasher()
      for start in stride(from: 0, to: count, by: length) {
        hasher.update(Array(bytes[start..<min(start + length, count)]))
      }

      #expect(hasher.finalize() == hash)
    }
  }
}
