import Yams

extension JSON {
  /// A YAML document; every scalar is a text.
  init(yaml text: String) throws {
    self = try Yams.compose(yaml: text).map(Self.init) ?? .null
  }

  private init(_ node: Node) {
    if let mapping = node.mapping {
      self = .object(
        Dictionary(
          mapping.map { ($0.key.string ?? "", JSON($0.value)) }, uniquingKeysWith: { first, _ in first }))
    } else if let sequence = node.sequence {
      self = .list(sequence.map { JSON($0) })
    } else {
      self = node.string.map { .text($0) } ?? .null
    }
  }
}
