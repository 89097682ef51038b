import Testing

@testable import ImmutableUI

struct TagTests {
  @Test func `tags are SipHash-2-4 with 128 bits`() {
    // The first of the reference code's vectors_sip128: the key 00 01 … 0f and no bytes, which are
    // one word of padding and length.
    var hasher = TagHasher(key: (0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908))
    hasher.combine(0 as UInt64)

    let tag = hasher.finalize()

    #expect(tag.high == 0xe6a8_25ba_047f_81a3)
    #expect(tag.low == 0x9302_55c7_1472_f66d)
  }

  @Test func `equal content has equal tags, different content different ones`() {
    func tag(_ parts: String...) -> ImmutableUI.Tag {
      var hasher = TagHasher()
      for part in parts { hasher.combine(part) }
      return hasher.finalize()
    }

    #expect(tag("ab", "c") == tag("ab", "c"))
    #expect(tag("ab", "c") != tag("a", "bc"))
    #expect(tag("") != tag("\0"))
    #expect(tag("12345678") != tag("12345678\0"))
    // The same on every machine and in every release: windows come back with it after a restart.
    #expect(tag("ImmutableData").text == tag("ImmutableData").text)
  }
}
