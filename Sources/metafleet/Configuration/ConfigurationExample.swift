import FleetModel

/// The commented example: every key with its default and unit, from the declaration.
///
/// A `#` directly before a key takes the key out: it has no default, or no effect yet. Prose has a blank after `#`.
struct ConfigurationExample {
  private static let width = 100
  private var lines: [String] = []

  /// The text of the example.
  static func text() -> String {
    var example = ConfigurationExample()
    example.prose(
      """
      MetaFleet's configuration: every key with its default. All of them may be left out. A # directly before a \
      key takes it out: remove it to set the key. Durations: 250ms, 90s, 1h30m, 7d. Sizes: 200MB, 1GiB. \
      Files: absolute, relative to this file, or credential:<name> for one of systemd's.
      """, at: 0)
    example.prose(
      """
      [live]: a change takes effect on reload (SIGHUP); [restart]: when the daemon starts again.
      """, at: 0)
    example.keys(ConfigurationKeys.file, at: 0)
    example.streams()
    return example.lines.joined(separator: "\n") + "\n"
  }

  /// The text of the example for clients.
  static func clientText() -> String {
    var example = ConfigurationExample()
    example.prose(
      """
      MetaFleet's configuration for client commands: every key with its default; all may be left out. Kept as \
      ~/.config/metafleet/client.yaml, or as /etc/metafleet/client.yaml for everybody on this computer. A # directly \
      before a key takes it out. The password is in a file of its own that nobody else can read.
      """, at: 0)
    example.keys(ClientKeys.file, at: 0)
    return example.lines.joined(separator: "\n") + "\n"
  }

  private mutating func keys(_ keys: [Parameter], at indent: Int) {
    for key in keys {
      if indent == 0 { lines.append("") }
      prose(comment(key), at: indent)
      let isInEffect = key.file?.isInEffect ?? true
      switch key.type {
      case .object(let members):
        line("\(key.name):", at: indent)
        self.keys(members, at: indent + 2)
      case .map(_, .object(let members), _):
        line("\(key.name):", at: indent)
        line("vibration:", at: indent + 2)
        self.keys(members, at: indent + 4)
      case .list(.object(let members), _):
        line("\(key.name):", at: indent)
        elements(members, at: indent + 2)
      case .streams(let use):
        line("\(key.name):", at: indent)
        stream(for: use, at: indent + 2)
      default:
        let standard = YAMLText.standard(of: key)
        line(
          "\(isInEffect && standard != nil ? "" : "#")\(key.name): \(standard ?? key.file?.sample ?? "")",
          at: indent)
      }
    }
  }

  /// One element that is taken out: the example shall not admit a board nobody has.
  private mutating func elements(_ members: [Parameter], at indent: Int) {
    for (index, key) in members.enumerated() {
      prose(comment(key), at: indent + 2)
      let value = key.file?.sample ?? YAMLText.standard(of: key) ?? ""
      line("#\(index == 0 ? "- " : "")\(key.name): \(Self.yaml(value))", at: index == 0 ? indent : indent + 2)
    }
  }

  private mutating func stream(for use: StreamUse, at indent: Int) {
    guard let stream = StreamCatalogue.all.first else { return }
    line("\(stream.name):", at: indent)
    for parameter in stream.parameters(for: use) {
      prose("\(parameter.summary): \(parameter.type.words)", at: indent + 2)
      let value = parameter.standard.map(Self.plain)
      line("\(value == nil ? "#" : "")\(parameter.name): \(value ?? "10")", at: indent + 2)
    }
  }

  /// The streams there are, as a comment.
  private mutating func streams() {
    lines.append("")
    prose("Streams (profiles.<name>.stream) and their keys, defaults in brackets:", at: 0)
    for stream in StreamCatalogue.all {
      let keys = stream.parameters.map { parameter in
        parameter.name
          + (parameter.standard.map { " [\(Self.plain($0))]" } ?? (parameter.isRequired ? " (required)" : ""))
      }
      prose(
        "  \(stream.name) (\(stream.fields.map(\.name).joined(separator: ", "))): "
          + keys.joined(separator: ", "), at: 0)
    }
  }

  private func comment(_ key: Parameter) -> String {
    var text = key.summary
    switch key.type {
    case .object, .map(_, .object, _), .list(.object, _): return text
    default: break
    }
    text += " Takes \(key.type.fileWords)."
    if key.isRequired { text += " Required." }
    if let missing = key.file?.whenMissing { text += " Default: \(missing)." }
    if key.file?.isInEffect == false { return text + " Not in effect in this version." }
    if let reload = key.file?.reload { text += " [\(reload.rawValue)]" }
    return text
  }

  private mutating func line(_ text: String, at indent: Int) {
    lines.append(String(repeating: " ", count: indent) + text)
  }

  private mutating func prose(_ text: String, at indent: Int) {
    let blanks = String(text.prefix { $0 == " " })
    let margin = String(repeating: " ", count: indent) + "# " + blanks
    lines += TextWrap.lines(
      text, width: Self.width, margin: margin, hanging: margin + (blanks.isEmpty ? "" : "  "))
  }

  private static func plain(_ value: JSONValue) -> String { value.string ?? JSONText.of(value) }

  /// A sample as YAML: an address would be read as a number by other programs' readers.
  private static func yaml(_ sample: String) -> String {
    sample.contains(":") && !sample.hasPrefix("{") && !sample.hasPrefix("\"") ? "\"\(sample)\"" : sample
  }
}
