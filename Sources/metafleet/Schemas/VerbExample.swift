import FleetModel

/// How somebody would ask for a verb on the command line.
enum VerbExample {
  /// The example of its declaration as a command.
  static func command(_ verb: VerbDefinition) -> String {
    let target =
      switch verb.addressee {
      case .board: "\"Pump 3\""
      case .group: "group:pumps"
      case .gateway: "gateway:gw-3f-east"
      }
    return (["metafleet send \(target) \(verb.name)"] + words(verb.example)).joined(separator: " ")
  }

  /// Arguments as `key=value`; objects as `a.b=1`.
  private static func words(_ arguments: JSONObject, below prefix: String = "") -> [String] {
    arguments.members.flatMap { key, value -> [String] in
      if let object = value.object, !object.isEmpty, key != "action" {
        return words(object, below: prefix + key + ".")
      }
      // Text that reads as JSON would be taken for that.
      let text = value.string.flatMap { CommandArguments.value($0).string }
      return [quoted("\(prefix)\(key)=\(text ?? JSONText.of(value))")]
    }
  }

  /// As a shell wants it.
  private static func quoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy {
      ($0 | 0x20 >= UInt8(ascii: "a") && $0 | 0x20 <= UInt8(ascii: "z"))
        || ($0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9")) || "=._:-/+,".utf8.contains($0)
    }
    return isPlain ? word : "'\(word)'"
  }
}
