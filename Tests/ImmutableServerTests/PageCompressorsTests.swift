import Testing

@testable import ImmutableServer

struct PageCompressorsTests {
  @Test func `there are at most as many compressors as the limit`() {
    let compressors = PageCompressors(limit: 2)
    var permits = [compressors.permit(), compressors.permit()]

    #expect(permits.allSatisfy { $0 != nil })
    #expect(compressors.permit() == nil)

    permits.removeLast()

    #expect(compressors.permit() != nil)
  }
}
