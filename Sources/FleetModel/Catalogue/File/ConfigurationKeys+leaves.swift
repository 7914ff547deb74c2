/// The keys of the file one by one.
extension ConfigurationKeys {
  /// Every key that is no section, with its path: `mqtt.port`, `profiles.<name>.link`, `boards[].address`.
  package static var leaves: [(path: String, key: Parameter)] { leaves(of: file) }

  /// The same of other sections.
  package static func leaves(of keys: [Parameter], below prefix: String = "") -> [(
    path: String, key: Parameter
  )] {
    keys.flatMap { key in
      let path = prefix + key.name
      return switch key.type {
      case .object(let members): leaves(of: members, below: path + ".")
      case .map(_, .object(let members), _): leaves(of: members, below: path + ".<name>.")
      case .list(.object(let members), _): leaves(of: members, below: path + "[].")
      default: [(path, key)]
      }
    }
  }
}
