/// How a board is set up, or shall be: everything its profile and verbs can ask of it, with every default filled in
/// (MQTT contract 1.5).
public struct SetupDeclaration: Hashable, Sendable {
  /// What is configured how. Numbers are as they come back from a disk or a broker: whole ones are integers.
  public private(set) var entries: [SetupKey: JSONValue] = [:]

  /// Nothing.
  public init() {}

  /// What is wanted of a board, by the parts that say it.
  public init(
    streams: [String: StreamRequest], logs: [String: StreamRequest] = [:],
    program: ProgramDeclarations = .init(), settings: SettingsDeclaration = .init()
  ) {
    for (name, request) in logs { self[SetupKey(.log, name)] = .object(request.configuration) }
    for (name, request) in streams { self[SetupKey(.stream, name)] = .object(request.configuration) }
    for (key, arguments) in program.entries { self[SetupKey(key)] = .object(arguments) }
    for (key, value) in settings.keys.members { self[SetupKey(.settings, key)] = value }
  }

  /// How one thing is configured; nil where it is not.
  public subscript(key: SetupKey) -> JSONValue? {
    get { entries[key] }
    set { entries[key] = newValue?.withWholeNumbers }
  }

  /// All there is, in the order of their words.
  public var keys: [SetupKey] { entries.keys.sorted() }

  /// As the contract has it: maps by section; sections without content are left out.
  public var document: JSONObject {
    var document = JSONObject()
    for section in SetupKey.Section.allCases {
      let members = keys.filter { $0.section == section }.compactMap { key in
        entries[key].map { (key.name, $0) }
      }
      if !members.isEmpty { document[section.rawValue] = .object(JSONObject(members)) }
    }
    return document
  }
}

extension JSONValue {
  /// The same with every number that is whole as an integer: `5.0` and `5` mean the same.
  var withWholeNumbers: JSONValue {
    switch self {
    case .number(let value): Int64(exactly: value).map { .integer($0) } ?? self
    case .array(let elements): .array(elements.map(\.withWholeNumbers))
    case .object(let object):
      .object(JSONObject(object.members.map { ($0.key, $0.value.withWholeNumbers) }))
    case .null, .bool, .integer, .string: self
    }
  }
}
