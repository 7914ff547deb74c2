import FleetModel

/// JSON on one line.
enum JSONText {
  static func of(_ value: JSONValue) -> String {
    var writer = JSONWriter()
    writer.write(value)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
