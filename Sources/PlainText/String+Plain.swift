import Foundation

// Checks of texts from others.
extension String {
  /// Whether it has a visible character.
  ///
  /// - Complexity: O(n), n scalars.
  package var showsSomething: Bool {
    self.unicodeScalars.contains { scalar in
      let properties = scalar.properties
      switch properties.generalCategory {
      case .control, .format, .nonspacingMark, .enclosingMark, .spaceSeparator, .lineSeparator,
        .paragraphSeparator, .unassigned, .surrogate, .privateUse:
        return false
      default:
        // U+2800 is the Braille pattern without dots.
        return properties.isDefaultIgnorableCodePoint == false && scalar.value != 0x2800
      }
    }
  }

  /// Whether all of its characters are plain text.
  ///
  /// - Complexity: O(n), n scalars.
  package var hasOnlyPlainCharacters: Bool {
    self.plain.unicodeScalars.count == self.unicodeScalars.count
  }

  /// The text without control characters, unassigned and private ones, separators of lines, and
  /// those that change the direction of others or do not show. A joiner may be between two letters,
  /// their marks or emoji, where it is part of how they are written.
  ///
  /// - Complexity: O(n), n scalars.
  package var plain: String {
    let scalars = Array(self.unicodeScalars)
    var plain = String.UnicodeScalarView()
    for (index, scalar) in scalars.enumerated() {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator, .unassigned, .surrogate, .privateUse:
        continue
      case .format:
        guard [0x200C, 0x200D].contains(scalar.value), index > 0, index + 1 < scalars.count,
          scalars[index - 1].mayBeJoined, scalars[index + 1].mayBeJoined
        else { continue }
      default:
        break
      }
      plain.append(scalar)
    }
    return String(plain)
  }

  /// The text for a sentence of the other direction, which it must not reorder: between two marks that
  /// isolate it, if it has letters that are written from right to left. In HTML, `<bdi>` does the same.
  ///
  /// - Complexity: O(n), n scalars.
  ///
  /// Source: Unicode Standard Annex #9, 2.6.
  package var isolated: String {
    if self.utf8.allSatisfy({ $0 < 0x80 }) { return self }
    let isRightToLeft = self.unicodeScalars.contains { scalar in
      Self.rightToLeft.contains { $0.contains(scalar.value) }
    }
    return isRightToLeft ? "\u{2068}\(self)\u{2069}" : self
  }

  /// The blocks of letters that are written from right to left.
  private static let rightToLeft: [ClosedRange<UInt32>] = [
    0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF,
  ]
}

extension Unicode.Scalar {
  fileprivate var mayBeJoined: Bool {
    switch self.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark, .otherSymbol, .modifierSymbol:
      true
    default:
      self.properties.isEmoji
    }
  }
}
