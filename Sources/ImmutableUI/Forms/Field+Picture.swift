import HTMLTemplates
@_exported public import Pictures

extension Field where Value == Picture {
  /// A picture that the user chooses from their files, or drops.
  ///
  /// ```swift
  /// static let photo = Field.picture("photo", "Choose a picture.")
  ///
  /// static let setPhoto = Form<NotesAction>("setPhoto", fields: noteId, photo) { noteId, photo in
  ///   .ui(.onChoosePhoto(noteId: noteId, photo: photo))
  /// }
  /// ```
  ///
  /// The server streams it to disk and checks it before the action is made, so an action only
  /// contains its name: ``Pictures/Picture``. The program gives the server a `PictureStore`
  /// (`WebServerConfiguration.pictures`), which serves it at ``Pictures/Picture/url``. SVG is not
  /// accepted, because it can contain scripts.
  ///
  /// A form with `data-upload` is sent as soon as a picture has been chosen, or dropped on it.
  ///
  /// - Parameters:
  ///   - name: The field's name.
  ///   - message: The validation error if nothing is chosen.
  ///   - limit: The maximum size of a picture in bytes. The server may have a lower limit.
  public static func picture(_ name: String, _ message: String, limit: Int = 8 << 20) -> Self {
    var control = FieldControl(.picture, isRequired: true)
    control.byteLimit = limit
    control.constraints.write(
      attribute: "accept", Picture.Kind.allCases.map(\.rawValue).joined(separator: ","))
    control.constraints.write(attribute: "data-byte-limit", "\(limit)")
    control.constraints.write(attribute: "data-too-large", PictureRefusal.tooLarge(limit))
    control.constraints.write(attribute: "data-too-many", PictureRefusal.tooMany)
    return Self(
      name: name,
      control: control,
      read: { texts in
        guard let picture = texts.first.flatMap({ Picture($0) }) else {
          throw Refusal(field: name, message)
        }
        return picture
      },
      write: { [$0.description] }
    )
  }
}

/// The message to the user about a picture that is not accepted.
package enum PictureRefusal {
  package static func tooLarge(_ limit: Int) -> String {
    let megabytes = Double(limit) / Double(1 << 20)
    let rounded = (megabytes * 10).rounded(.down) / 10
    let size =
      rounded < 0.1
      ? "\(limit) bytes" : "\(rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)") MB"
    return "This picture has more than \(size). Choose a smaller one."
  }

  package static let tooMany = "Add one picture at a time."

  package static let isNone: String = {
    let names = Picture.Kind.allCases.map(\.name)
    return "This is not a picture that can be shown. Choose a "
      + "\(names.dropLast().joined(separator: ", ")) or \(names.last ?? "") file."
  }()

  package static let isDamaged =
    "This picture cannot be read. It may be damaged. Choose another one."

  package static let isTooWide =
    "This picture has too many pixels. Choose one of at most "
    + "\(PictureHeader.pixelLimit / 1_000_000) megapixels."
}
