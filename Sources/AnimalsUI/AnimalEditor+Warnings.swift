import AnimalsData
import ImmutableUI
import PlainText

// Warnings. Saving in spite of them is always possible.
extension AnimalEditor {
  /// - Throws: ``Refusal`` for a change that would undo another user's change without a decision by
  ///   this user, and for a name that another animal has.
  static func check(_ fields: FormFields, _ state: AnimalsState) throws {
    guard fields.isOf(Self.save), (fields[Self.anyway] ?? nil) == nil else { return }
    try self.checkConflicts(fields, state)
    try self.checkName(fields, state)
  }

  private static func checkConflicts(_ fields: FormFields, _ state: AnimalsState) throws {
    guard let theirs = AnimalsState.selectAnimal(animalId: fields[Self.animalId] ?? nil)(state)
    else { return }
    let (was, seen) = (fields[Self.was] ?? nil, fields[Self.seen] ?? nil)
    guard was != nil || seen != nil else { return }
    let edited = EditedValue(now: theirs, was: was, isSeen: seen == theirs.seen)
    let isNameUndecided = edited.isUndecided(
      \.name, fields[Self.name], fields[Self.nameSide] ?? nil)
    let isCategoryUndecided = edited.isUndecided(
      \.categoryId, fields[Self.category], fields[Self.categorySide] ?? nil)
    let isDietUndecided = edited.isUndecided(
      \.diet, fields[Self.diet], fields[Self.dietSide] ?? nil)
    let category = AnimalsState.selectCategory(categoryId: theirs.categoryId)(state)
    let sentence = self.sentence(
      name: isNameUndecided ? theirs.name : nil,
      category: isCategoryUndecided ? category?.name ?? theirs.categoryId : nil,
      diet: isDietUndecided ? theirs.diet : nil
    )
    guard let sentence else { return }
    throw Refusal(.warning, "\(sentence) Choose which to keep.")
  }

  /// The changes of an animal by others.
  ///
  /// - Returns: `nil` if there are none.
  static func sentence(name: String?, category: String?, diet: Animal.Diet?) -> String? {
    let changes = [
      name.map { "the name to \u{201C}\($0.isolated)\u{201D}" },
      category.map { "the category to \($0)" },
      diet.map { "the diet to \($0.rawValue)" },
    ].compactMap(\.self)
    guard let last = changes.last else { return nil }
    let others = changes.dropLast().joined(separator: ", ")
    return "Someone else has changed \(others.isEmpty ? last : "\(others) and \(last)")."
  }

  private static func checkName(_ fields: FormFields, _ state: AnimalsState) throws {
    guard let name = fields[Self.name] else { return }
    let animalId = fields[Self.animalId] ?? nil
    let animal = AnimalsState.selectAnimal(animalId: animalId)(state)
    // A user who changes something else is not asked about the name.
    guard name != animal?.name,
      let namesake = AnimalsState.selectNamesake(of: name, except: animalId)(state)
    else { return }
    let category = AnimalsState.selectCategory(categoryId: namesake.categoryId)(state)
    throw Refusal(.warning, self.warning(of: namesake, in: category?.name ?? namesake.categoryId))
  }

  static func warning(of namesake: Animal, in category: String) -> String {
    "There is already an animal called \u{201C}\(namesake.name.isolated)\u{201D} (\(category))."
  }
}
