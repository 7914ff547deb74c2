import FleetModel

/// Arguments of a command from a file, JSON or YAML: an object of arguments, or the list of commands of a `batch`.
enum ArgumentFile {
  /// More than any command may hold.
  static let largest = 1_000_000

  /// The arguments in the file at `path`; `-` is standard input.
  static func read(_ path: String, verb: String) throws(CommandLineFailure) -> JSONObject {
    let name = path == "-" ? "standard input" : path
    let bytes: [UInt8]
    do throws(FileContent.Failure) {
      bytes =
        try path == "-"
        ? FileContent.readStandardInput(atMost: largest) : FileContent.read(path, atMost: largest)
    } catch {
      throw CommandLineFailure(.usage, error.text(name))
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw CommandLineFailure(.usage, "\(name) is not UTF-8 text")
    }
    return try arguments(text, verb: verb, from: name)
  }

  /// The arguments in `text`.
  static func arguments(
    _ text: String, verb: String, from name: String
  ) throws(CommandLineFailure) -> JSONObject {
    let value = try value(text, from: name)
    if let object = value.object {
      guard verb == BatchVerb.name, let commands = object["commands"]?.array else { return object }
      var object = object
      object["commands"] = .array(commands.map(command))
      return object
    }
    guard let commands = value.array else {
      throw CommandLineFailure(.usage, "\(name) holds no arguments; write a list of commands, or key: value")
    }
    guard verb == BatchVerb.name else {
      throw CommandLineFailure(
        .usage, "\(name) is a list, and only batch takes one; write the arguments of \(verb) as key: value")
    }
    return ["commands": .array(commands.map(command))]
  }

  /// One command: `log-status`, `led: { color: red }`, or `verb` and `args` as the gateway wants them.
  private static func command(_ element: JSONValue) -> JSONValue {
    if let verb = element.string { return ["verb": .string(verb)] }
    guard let object = element.object, object.count == 1, object["verb"] == nil,
      let only = object.members.first
    else { return element }
    return only.value == .null
      ? ["verb": .string(only.key)] : ["verb": .string(only.key), "args": only.value]
  }

  private static func value(_ text: String, from name: String) throws(CommandLineFailure) -> JSONValue {
    if let json = try? StrictJSON.parse(Array(text.utf8), limits: .trusting) { return json }
    do throws(ConfigurationProblem) {
      guard let root = try YAMLDocument.read(text) else {
        throw ConfigurationProblem(.error, line: 1, column: 1, "nothing is written here")
      }
      return try value(root)
    } catch {
      throw CommandLineFailure(.usage, "\(name):\(error.line ?? 1):\(error.column ?? 1): \(error.text)")
    }
  }

  /// What is written plainly means what it would on the command line; what stands in quotes is text.
  private static func value(_ node: YAMLNode) throws(ConfigurationProblem) -> JSONValue {
    switch node.content {
    case .scalar(let text, let isPlain):
      return node.isEmpty ? .null : isPlain ? CommandArguments.value(text) : .string(text)
    case .sequence(let nodes):
      var values: [JSONValue] = []
      for node in nodes { values.append(try value(node)) }
      return .array(values)
    case .mapping(let members):
      var object = JSONObject()
      for member in members {
        guard object[member.key] == nil else {
          throw problem("\(quoted(member.key)) is there twice; remove one", member.position)
        }
        object[member.key] = try value(member.value)
      }
      return .object(object)
    case .tagged: throw problem("\(node.described) is not taken; leave the tag out", node.position)
    }
  }

  private static func problem(_ text: String, _ position: YAMLNode.Position) -> ConfigurationProblem {
    ConfigurationProblem(.error, line: position.line, column: position.column, text)
  }
}
