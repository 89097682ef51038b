public import Foundation
public import ImmutableData

// What the window that posts a form knows. None has an element in a template.
extension Field where Value == String {
  /// The token of the submission. It can identify what the submission creates until that has an id
  /// of its own. It has no element in a template.
  public static var submission: Self {
    Self(
      name: FormField.token,
      control: FieldControl(.none),
      read: { texts in
        // Any text can be a token: tokens are not secret, and clients make them.
        guard let token = texts.first, (1...128).contains(token.utf8.count) else {
          throw Refusal(.invalid, FieldControl.incomplete)
        }
        return token
      },
      write: { [$0] }
    )
  }
}

extension Field where Value == TimeZone {
  /// The time zone of the window that posts the form, for the days and times that people enter in
  /// it: `day.date(at: time, in: timeZone)`. It has no element in a template. If the browser has not
  /// reported its time zone, because it has never run JavaScript, it is that of the server.
  public static var timeZone: Self {
    Self(
      name: FormField.timeZone,
      control: FieldControl(.none),
      read: { $0.first.flatMap(TimeZone.init(reported:)) ?? .current },
      write: { [$0.identifier] }
    )
  }
}

extension Field where Value == Visitor {
  /// Who posts the form. It has no element in a template, and a post that contains it is refused.
  public static var visitor: Self {
    Self(
      name: FormField.visitor,
      control: FieldControl(.none),
      read: { texts in
        guard let text = texts.first else { throw Refusal(.invalid, FieldControl.incomplete) }
        return Visitor(rawValue: text)
      },
      write: { [$0.rawValue] }
    )
  }
}
