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

  // Windows come back with tags that an earlier release computed.
  @Test(
    arguments: [
      ("", 0x47c0_94e6_cdba_eb00, 0xf4a3_7eb0_e53c_182b),
      ("1234567", 0xb8b4_7288_69af_e0e2, 0xff1f_d90d_71ae_0fcd),
      ("12345678", 0xbd95_da00_9c94_d76f, 0xb71a_f116_6297_eaa2),
      ("123456789", 0xb776_9b38_58b4_3838, 0x18ed_da9e_20b8_7b31),
      ("ImmutableData", 0x2685_be83_4cb9_a3d1, 0x97d0_d2e8_6120_4f08),
    ] as [(String, UInt64, UInt64)])
  func `the tag of a text is the same in every release`(text: String, high: UInt64, low: UInt64) {
    var hasher = TagHasher()
    hasher.combine(text)

    #expect(hasher.finalize() == ImmutableUI.Tag(high: high, low: low))
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
  }
}
