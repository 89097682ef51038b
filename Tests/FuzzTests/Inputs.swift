import Foundation
import ImmutableUI
import TestSupport

/// Queries and forms near those of the products.
enum Inputs {
  private static let names = [
    "search", "date", "order", "sort", "list", "map", "sheet", "camera", "category", "animal",
    "selected",
    "_form", "_token", "name", "diet", "id", "range", "at", "", "a b", "é", "猫", "<zq>", "x\u{0}",
  ]
  private static let values = [
    "", "forward", "reverse", "time", "magnitude", "2018-02-07", "0001-01-01", "9999-12-31",
    "2016-02-29",
    "2015-02-29", "0000-00-00", "１２３４-01-01", "Mammal", "Dog", "add", "add~", "edit", "edit~x",
    "edit~~", "delete", "delete~Dog", "delete~~Dog", "adding~x", "editing~x~y", "deleting~x~y", "~",
    "~~~",
    "deleting~~", "reload", "deleteAll", "0_0_1", "1.005_-2.345_64", "1e308_-1e308_1e308",
    "nan_inf_-inf",
    "-0_0_0", "103.404_0_2.345", "__", "0_0_1e-320", "x_y_z", "increment", "save", "san josé",
    "san jose\u{301}", "1", "-1", "99999999999999999999", "\r\nSet-Cookie: zq=zq", "//evil.example",
    "\u{FEFF}",
    "\u{202E}zq", "😀",
  ]
  /// What mutations put in.
  static let words =
    [
      "%", "%%", "%4", "%zz", "%00", "%c3", "%a9", "%C3%A9", "%ed%a0%80", "%f4%90%80%80", "%c0%af",
      "+", "&", "=",
    ]
    + [
      "&&", "==", "\u{0}", "%2B", "%26", "%3D", "%25", "~", "_", "-", ";", "#", "?", "é",
      "%EF%BF%BD", "%\u{661}1",
    ]
  static let zones = [
    "UTC", "Pacific/Apia", "Pacific/Kiritimati", "Asia/Kathmandu", "America/Sao_Paulo",
  ]
  .compactMap(TimeZone.init(identifier:))
  static let date = Date(timeIntervalSince1970: 1_518_004_800)

  static func items(using generator: inout SeededGenerator) -> [QueryItem] {
    (0..<Int.random(in: 0...6, using: &generator)).map { _ in
      QueryItem(name: generator.pick(Self.names), value: Self.value(using: &generator))
    }
  }

  /// Half of them hostile.
  static func value(using generator: inout SeededGenerator) -> String {
    switch Int.random(in: 0..<8, using: &generator) {
    case 0..<4: return generator.pick(Self.values)
    case 4: return generator.pick(Markup.hostile)
    case 5: return generator.some(Self.values + Markup.hostile, 0...4).joined()
    case 6: return generator.pick(Self.values) + generator.pick(Markup.hostile)
    default:
      var text = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0...12, using: &generator) {
        let limit: UInt32 = generator.pick([0x7F, 0x7FF, 0xFFFF, 0x10_FFFF])
        if let scalar = Unicode.Scalar(UInt32.random(in: 0...limit, using: &generator)) {
          text.append(scalar)
        }
      }
      return String(text)
    }
  }
}
