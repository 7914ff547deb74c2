import FleetModel

/// How a command ended that the gateway ran. Pure.
struct ArchiveReply: Hashable, Sendable {
  /// As a shell has it.
  var status: Int32
  /// Why it was not begun.
  var message: String?

  var line: [UInt8] {
    var object: JSONObject = ["status": .integer(Int64(status))]
    object["message"] = message.map { .string($0) }
    return Array((JSONText.of(.object(object)) + "\n").utf8)
  }

  init(status: Int32, message: String? = nil) { (self.status, self.message) = (status, message) }

  init(_ failure: CommandLineFailure) { self.init(status: failure.status.rawValue, message: failure.message) }

  init?(line: [UInt8]) {
    guard let object = try? StrictJSON.parse(line).object, let status = object["status"]?.integer,
      let number = Int32(exactly: status)
    else { return nil }
    self.init(status: number, message: object["message"]?.string)
  }
}
