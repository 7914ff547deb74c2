import Foundation

/// A JSON document of any shape, for checks that walk through it.
enum JSON: Decodable, Equatable {
  case null
  case bool(Bool)
  case number(Double)
  case text(String)
  case list([JSON])
  case object([String: JSON])

  init(_ text: String) throws { self = try JSONDecoder().decode(JSON.self, from: Data(text.utf8)) }

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let flag = try? value.decode(Bool.self) {
      self = .bool(flag)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let text = try? value.decode(String.self) {
      self = .text(text)
    } else if let list = try? value.decode([JSON].self) {
      self = .list(list)
    } else {
      self = .object(try value.decode([String: JSON].self))
    }
  }

  subscript(key: String) -> JSON {
    get { if case .object(let members) = self { members[key] ?? .null } else { .null } }
    set {
      guard case .object(var members) = self else { return }
      members[key] = newValue
      self = .object(members)
    }
  }

  var text: String? { if case .text(let text) = self { text } else { nil } }
  var number: Double? { if case .number(let number) = self { number } else { nil } }
  var list: [JSON] {
    get { if case .list(let list) = self { list } else { [] } }
    set { self = .list(newValue) }
  }
  var members: [String: JSON] { if case .object(let members) = self { members } else { [:] } }

  /// Every text and every key in it, at any depth.
  var texts: [String] {
    switch self {
    case .text(let text): [text]
    case .list(let list): list.flatMap(\.texts)
    case .object(let members): members.flatMap { [$0.key] + $0.value.texts }
    case .null, .bool, .number: []
    }
  }

  /// Every object in it, at any depth.
  var objects: [JSON] {
    switch self {
    case .list(let list): list.flatMap(\.objects)
    case .object(let members): [self] + members.values.flatMap(\.objects)
    case .null, .bool, .number, .text: []
    }
  }
}
