/// Something that a text refers to by its number.
enum Citation: Hashable, CustomStringConvertible {
  /// A section; nil: nothing says of which document.
  case section(String, ReferenceDocument?)
  /// An item, row, type, register or index below a section's heading.
  case entry(String, section: String, ReferenceDocument)
  /// A fault (`F61`), an invariant (`I12`) or a trap (`T15`); of firmware over the air `D04` and `U8`.
  case row(String)

  var description: String {
    switch self {
    case .section(let number, let document): "section \(number) of \(document?.rawValue ?? "no document")"
    case .entry(let name, let section, let document):
      "\(name) in section \(section) of \(document.rawValue)"
    case .row(let id): id
    }
  }
}
