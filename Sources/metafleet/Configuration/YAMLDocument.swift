import FleetModel
import Yams

/// Reads a YAML file into nodes with their places: the only file that knows the parser.
///
/// The parser stops at the first duplicate key. All problems are to be listed, so a duplicate is renamed in a copy
/// of the text, at the same width so that places stay right, and the text is parsed again.
struct YAMLDocument {
  /// The parser works in the order of the text, so this many duplicates are found before we give up.
  private static let mostDuplicates = 200
  /// Aliases can make a small file huge.
  private static let mostNodes = 2_000_000

  private var scalars: [Unicode.Scalar]
  /// What was renamed: the key's stand-in and what the file says.
  private var renamed: [String: String] = [:]
  private var nodesLeft = mostNodes

  /// The parser counts a byte order mark as a column of the first line, and then takes the others to be outdented.
  private init(_ text: String) {
    let scalars = text.unicodeScalars
    self.scalars = Array(scalars.first == ByteOrderMark.scalar ? scalars.dropFirst() : scalars[...])
  }

  /// The root of the file; nil when it is empty. Throws what is wrong where the text is not YAML.
  static func read(_ text: String) throws(ConfigurationProblem) -> YAMLNode? {
    var document = YAMLDocument(text)
    guard let root = try document.compose() else { return nil }
    let node = document.node(root)
    guard document.nodesLeft > 0 else {
      throw ConfigurationProblem(.error, line: 1, column: 1, "the file is too large; use fewer aliases")
    }
    return node
  }

  private mutating func compose() throws(ConfigurationProblem) -> Node? {
    while true {
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars)
      do {
        return try Yams.compose(yaml: String(text))
      } catch YamlError.duplicatedKeysInMapping(let keys, let context) {
        guard let key = keys.first, rename(key, at: context.mark) else {
          let name = keys.first.map { quoted(renamed[$0] ?? $0) } ?? "a key"
          throw problem("\(name) is defined twice in one mapping; remove one", context.mark)
        }
      } catch let error as YamlError {
        throw Self.problem(error, in: String(text))
      } catch {
        throw ConfigurationProblem(.error, line: 1, column: 1, "the file cannot be read as YAML")
      }
    }
  }

  /// Replaces the first character of the key at `mark` by one nobody types.
  private mutating func rename(_ key: String, at mark: Mark) -> Bool {
    guard renamed.count < Self.mostDuplicates, renamed[key] == nil, let first = key.unicodeScalars.first,
      let standIn = Unicode.Scalar(0xE000 + UInt32(renamed.count)), var index = index(of: mark)
    else { return false }
    if scalars[index] == "\"" || scalars[index] == "'" { index += 1 }
    guard index < scalars.count, scalars[index] == first else { return false }
    scalars[index] = standIn
    var name = String.UnicodeScalarView()
    name.append(standIn)
    name.append(contentsOf: key.unicodeScalars.dropFirst())
    renamed[String(name)] = key
    return true
  }

  private func index(of mark: Mark) -> Int? {
    var line = 1
    var index = 0
    while line < mark.line {
      guard index < scalars.count else { return nil }
      let scalar = scalars[index]
      index += 1
      if scalar == "\r", index < scalars.count, scalars[index] == "\n" { index += 1 }
      if ["\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"].contains(scalar) { line += 1 }
    }
    index += mark.column - 1
    return scalars.indices.contains(index) ? index : nil
  }

  private mutating func node(_ node: Node) -> YAMLNode {
    let position = Self.position(node.mark)
    nodesLeft -= 1
    guard nodesLeft > 0 else { return YAMLNode(content: .sequence([]), position: position) }
    return YAMLNode(content: content(node), position: position)
  }

  private mutating func content(_ node: Node) -> YAMLNode.Content {
    switch node {
    case .scalar(let scalar):
      // An explicit tag is there before anything was resolved; text in quotes has the one of strings by itself.
      let tag = scalar.tag.description
      let isPlain = scalar.style == .plain
      let isUntagged = tag.isEmpty || !isPlain && tag == "tag:yaml.org,2002:str"
      return isUntagged ? .scalar(scalar.string, isPlain: isPlain) : .tagged(tag)
    case .sequence(let sequence):
      let tag = sequence.tag.description
      return tag.isEmpty ? .sequence(sequence.map { self.node($0) }) : .tagged(tag)
    case .mapping(let mapping):
      let tag = mapping.tag.description
      guard tag.isEmpty else { return .tagged(tag) }
      return .mapping(
        Self.merged(
          mapping.map { key, value in
            let name = key.scalar?.string ?? "?"
            return YAMLNode.Member(
              key: renamed[name] ?? name, position: Self.position(key.mark), value: self.node(value))
          }))
    case .alias: return .scalar("", isPlain: true)
    }
  }

  /// The members with what a key `<<` takes in from a mapping, or a list of them, as YAML 1.1 means it: whatever stands
  /// here goes first, then what stands earlier in the list.
  private static func merged(_ members: [YAMLNode.Member]) -> [YAMLNode.Member] {
    guard let merge = members.first(where: { $0.key == "<<" }) else { return members }
    let sources = merge.value.members.map { [$0] } ?? (merge.value.elements ?? []).compactMap(\.members)
    // What is neither stays, and is refused as a key that nobody has.
    guard !sources.isEmpty, sources.count == merge.value.elements?.count ?? 1 else { return members }
    var all = members.filter { $0.key != "<<" }
    for member in sources.joined() where !all.contains(where: { $0.key == member.key }) { all.append(member) }
    return all
  }

  private static func position(_ mark: Mark?) -> YAMLNode.Position {
    mark.map { YAMLNode.Position(line: $0.line, column: $0.column) } ?? .start
  }

  private func problem(_ text: String, _ mark: Mark) -> ConfigurationProblem {
    ConfigurationProblem(.error, line: mark.line, column: mark.column, text)
  }

  private static func problem(_ error: YamlError, in text: String) -> ConfigurationProblem {
    switch error {
    case .scanner(_, _, let mark, _) where isIndentedWithTab(mark.line, of: text):
      ConfigurationProblem(
        .error, line: mark.line, column: 1, "line \(mark.line) is indented with a tab; use spaces")
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      ConfigurationProblem(
        .error, line: mark.line, column: mark.column,
        "this is not valid YAML: \(problem); check indentation, colons and quotes")
    case .reader(let problem, let offset, _, let yaml):
      place(of: offset, in: yaml, "the file holds a character YAML does not allow: \(problem)")
    default: ConfigurationProblem(.error, line: 1, column: 1, "the file cannot be read as YAML")
    }
  }

  private static func isIndentedWithTab(_ number: Int, of text: String) -> Bool {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    guard lines.indices.contains(number - 1) else { return false }
    return lines[number - 1].prefix { $0 == " " || $0 == "\t" }.contains("\t")
  }

  private static func place(of offset: Int?, in text: String, _ sentence: String) -> ConfigurationProblem {
    let before = text.prefix(offset ?? 0)
    let line = before.count { $0.isNewline } + 1
    let column = before.reversed().prefix { !$0.isNewline }.count + 1
    return ConfigurationProblem(.error, line: line, column: column, sentence)
  }
}
