/// The parts of a picture's file that are needed to show it. Other data from cameras or programs,
/// such as where a photograph was taken, is private and left out, and so is anything after the
/// picture's end.
struct PictureContent: Equatable {
  enum Part: Equatable {
    case range(Range<Int>)
    case bytes([UInt8])
  }

  /// The parts in order. Bounded by ``blockLimit``.
  private(set) var parts: [Part] = []

  /// The maximum number of blocks in a file; ordinary files have some hundreds.
  static let blockLimit = 50_000

  /// - Parameters:
  ///   - kind: The format of the file.
  ///   - read: Reads from the file.
  /// - Returns: `nil` if the structure of the file is broken.
  /// - Complexity: O(n), n bytes; it holds a part of them at a time.
  init?(_ kind: Picture.Kind, _ read: @escaping PictureHeader.Reader) throws(PictureStoreError) {
    var bytes = FileWindow(read)
    let isWhole =
      switch kind {
      case .jpeg: try self.addJPEG(&bytes)
      case .png: try self.addPNG(&bytes)
      case .gif: try self.addGIF(&bytes)
      case .webp: try self.addWebP(&bytes)
      }
    guard isWhole else { return nil }
  }

  private mutating func keep(_ range: Range<Int>) {
    if case .range(let last)? = self.parts.last, last.upperBound == range.lowerBound {
      self.parts[self.parts.count - 1] = .range(last.lowerBound..<range.upperBound)
    } else {
      self.parts.append(.range(range))
    }
  }

  // ITU T.81, annex B.
  private mutating func addJPEG(_ bytes: inout FileWindow) throws(PictureStoreError) -> Bool {
    self.keep(0..<2)
    var offset = 2
    var hasScan = false
    var orientation: Int?
    for _ in 0..<Self.blockLimit {
      guard let first = try bytes[offset] else {
        // A truncated picture is shown as far as possible.
        return hasScan
      }
      guard first == 0xFF, let marker = try bytes[offset + 1] else { return false }
      switch marker {
      case 0xFF:
        offset += 1
      case 0xD9:
        self.keep(offset..<(offset + 2))
        return hasScan
      case 0x01, 0xD0...0xD7:
        self.keep(offset..<(offset + 2))
        offset += 2
      case 0x00, 0xD8:
        return false
      default:
        guard let length = try bytes.big(at: offset + 2, 2), length >= 2,
          try bytes[offset + 1 + length] != nil
        else { return false }
        let end = offset + 2 + length
        if marker == 0xE1 {
          // Keep the orientation of the camera, or the picture would be shown rotated. Like the
          // header, use only the first one.
          if orientation == nil {
            orientation = try PictureHeader.orientation(offset + 4, length - 2, bytes.read)
            if let orientation, (2...8).contains(orientation) {
              self.parts.append(.bytes(Self.exif(orientation)))
            }
          }
        } else {
          // Exif comes before the tables and the size.
          if (0xC0...0xCF).contains(marker) { orientation = orientation ?? 1 }
          try self.addSegment(marker, offset..<end, &bytes)
        }
        offset = end
        guard marker == 0xDA else { continue }
        hasScan = true
        offset = try bytes.endOfScan(from: end)
        self.keep(end..<offset)
      }
    }
    return false
  }

  private mutating func addSegment(
    _ marker: UInt8,
    _ range: Range<Int>,
    _ bytes: inout FileWindow
  ) throws(PictureStoreError) {
    let start = try bytes.bytes(at: range.lowerBound + 4, 12)
    switch marker {
    case 0xE2:
      // The color profile. The other use refers to more pictures after the end of this one.
      if start.elementsEqual(Array("ICC_PROFILE\0".utf8)) { self.keep(range) }
    case 0xE3...0xED, 0xEF, 0xFE:
      break
    default:
      self.keep(range)
    }
  }

  private static func exif(_ orientation: Int) -> [UInt8] {
    [0xFF, 0xE1, 0, 34] + Array("Exif\0\0MM".utf8)
      + [0, 42, 0, 0, 0, 8, 0, 1, 1, 18, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation), 0, 0]
      + [0, 0, 0, 0]
  }

  private static let chunks: Set<String> = [
    "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "cHRM", "gAMA", "iCCP", "sBIT", "sRGB", "cICP", "bKGD",
    "pHYs", "acTL", "fcTL", "fdAT",
  ]

  // PNG specification, section 5.3.
  private mutating func addPNG(_ bytes: inout FileWindow) throws(PictureStoreError) -> Bool {
    self.keep(0..<8)
    var offset = 8
    var hasPixels = false
    for _ in 0..<Self.blockLimit {
      guard let length = try bytes.big(at: offset, 4), length < 1 << 31,
        try bytes[offset + 11 + length] != nil
      else { return false }
      let name = String(decoding: try bytes.bytes(at: offset + 4, 4), as: UTF8.self)
      let end = offset + 12 + length
      if Self.chunks.contains(name) { self.keep(offset..<end) }
      if name == "IDAT" { hasPixels = true }
      if name == "IEND" { return hasPixels }
      offset = end
    }
    return false
  }

  // GIF89a, appendix B.
  private mutating func addGIF(_ bytes: inout FileWindow) throws(PictureStoreError) -> Bool {
    guard let flags = try bytes[10] else { return false }
    var offset = 13 + Self.tableLength(flags)
    self.keep(0..<offset)
    var hasPixels = false
    for _ in 0..<Self.blockLimit {
      switch try bytes[offset] {
      case 0x2C:
        guard let flags = try bytes[offset + 9] else { return false }
        let data = offset + 11 + Self.tableLength(flags)
        guard let end = try bytes.endOfSubBlocks(from: data) else { return false }
        self.keep(offset..<end)
        (offset, hasPixels) = (end, true)
      case 0x21:
        guard let end = try bytes.endOfSubBlocks(from: offset + 2) else { return false }
        let label = try bytes[offset + 1]
        let name = String(decoding: try bytes.bytes(at: offset + 3, 11), as: UTF8.self)
        let isLoop = label == 0xFF && ["NETSCAPE2.0", "ANIMEXTS1.0"].contains(name)
        if label == 0xF9 || isLoop { self.keep(offset..<end) }
        offset = end
      case 0x3B:
        self.keep(offset..<(offset + 1))
        return hasPixels
      default:
        return false
      }
    }
    return false
  }

  /// The length of a table of colors.
  private static func tableLength(_ flags: UInt8) -> Int {
    flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1)
  }

  // RFC 9649, section 2.
  private mutating func addWebP(_ bytes: inout FileWindow) throws(PictureStoreError) -> Bool {
    guard let length = try bytes.little(at: 4, 4), length >= 12,
      try bytes[7 + length] != nil
    else { return false }
    let end = 8 + length
    self.parts.append(.bytes([]))  // The length is only known at the end.
    var offset = 12
    for _ in 0..<Self.blockLimit {
      guard offset < end else { break }
      guard let length = try bytes.little(at: offset + 4, 4) else { return false }
      let next = offset + 8 + length + length % 2
      guard next <= end else { return false }
      switch String(decoding: try bytes.bytes(at: offset, 4), as: UTF8.self) {
      case "VP8X":
        var header = try bytes.bytes(at: offset, 18)
        guard header.count == 18, length == 10 else { return false }
        header[8] &= 0b1111_0011  // Exif and XMP are removed.
        self.parts.append(.bytes(header))
      case "VP8 ", "VP8L", "ANIM", "ANMF", "ALPH", "ICCP":
        self.keep(offset..<next)
      default:
        break
      }
      offset = next
    }
    guard offset == end, self.parts.count > 1 else { return false }
    let count = self.parts.reduce(4) { count, part in
      switch part {
      case .range(let range): count + range.count
      case .bytes(let bytes): count + bytes.count
      }
    }
    let size = (0..<4).map { UInt8(count >> (8 * $0) & 0xFF) }
    self.parts[0] = .bytes(Array("RIFF".utf8) + size + Array("WEBP".utf8))
    return true
  }
}

/// A file with one piece of it in memory.
private struct FileWindow {
  private static let length = 64 << 10

  let read: PictureHeader.Reader
  private var start = 0
  private var bytes: [UInt8] = []

  init(_ read: @escaping PictureHeader.Reader) {
    self.read = read
  }

  /// The byte at an offset; `nil` beyond the end.
  subscript(offset: Int) -> UInt8? {
    mutating get throws(PictureStoreError) {
      if offset < self.start || offset >= self.start + self.bytes.count {
        self.start = offset
        self.bytes = try self.read(offset, Self.length)
      }
      return self.bytes.isEmpty ? nil : self.bytes[offset - self.start]
    }
  }

  /// The available bytes, at most `count`.
  mutating func bytes(at offset: Int, _ count: Int) throws(PictureStoreError) -> [UInt8] {
    var bytes: [UInt8] = []
    for index in 0..<count {
      guard let byte = try self[offset + index] else { break }
      bytes.append(byte)
    }
    return bytes
  }

  mutating func big(at offset: Int, _ count: Int) throws(PictureStoreError) -> Int? {
    let bytes = try self.bytes(at: offset, count)
    return bytes.count == count ? bytes.reduce(0) { $0 << 8 | Int($1) } : nil
  }

  mutating func little(at offset: Int, _ count: Int) throws(PictureStoreError) -> Int? {
    let bytes = try self.bytes(at: offset, count)
    return bytes.count == count ? bytes.reversed().reduce(0) { $0 << 8 | Int($1) } : nil
  }

  /// The start of the next marker after the coded pixels of a JPEG file, or the end of the file.
  mutating func endOfScan(from offset: Int) throws(PictureStoreError) -> Int {
    var offset = offset
    while try self[offset] != nil {
      // Nearly all bytes are pixels.
      let from = offset - self.start
      let found = self.bytes.withUnsafeBufferPointer { bytes -> Int in
        var index = from
        while index < bytes.count, bytes[index] != 0xFF { index += 1 }
        return index
      }
      offset = self.start + found
      guard found < self.bytes.count else { continue }
      switch try self[offset + 1] {
      case 0x00, 0xD0, 0xD1, 0xD2, 0xD3, 0xD4, 0xD5, 0xD6, 0xD7: offset += 2
      case nil: return offset + 1
      default: return offset
      }
    }
    return offset
  }

  /// The end of the sub-blocks that begin with their lengths; `nil` if they do not end.
  mutating func endOfSubBlocks(from offset: Int) throws(PictureStoreError) -> Int? {
    var offset = offset
    while let length = try self[offset] {
      offset += 1 + Int(length)
      if length == 0 { return offset }
    }
    return nil
  }
}
