import BoardKit

/// What is worth remembering of an interview: as long as firmware, hardware and model stay the same, so do the
/// modules, and their discovery can be left out.
struct InterviewMemory: Hashable, Sendable {
  var firmwareRevision: String
  var hardwareRevision: String
  var modelNumber: String
  /// The information replies, as received.
  var replies: [Module: [UInt8]]

  /// Grows when the layout below changes; a record of another version is as good as none.
  private static let version: UInt8 = 1

  init(device: DeviceInformation, replies: [Module: [UInt8]]) {
    firmwareRevision = device.firmwareRevision
    hardwareRevision = device.hardwareRevision
    modelNumber = device.modelNumber
    self.replies = replies
  }

  /// Whether the memory is of a board that says `device` of itself.
  func fits(_ device: DeviceInformation) -> Bool {
    firmwareRevision == device.firmwareRevision && hardwareRevision == device.hardwareRevision
      && modelNumber == device.modelNumber
  }

  /// The record: version, three strings, then one reply per module; each preceded by its length.
  var encoded: [UInt8] {
    var record = [Self.version]
    let strings = [firmwareRevision, hardwareRevision, modelNumber].map { Array($0.utf8) }
    for part in strings + Module.allCases.map({ replies[$0] ?? [] }) {
      record.append(UInt8(clamping: part.count))
      record += part.prefix(255)
    }
    return record
  }

  /// Reads a record; nil unless it is whole and of this version.
  init?(_ record: [UInt8]) {
    var rest = record[...]
    guard rest.popFirst() == Self.version else { return nil }
    func part() -> [UInt8]? {
      guard let length = rest.popFirst(), rest.count >= Int(length) else { return nil }
      defer { rest = rest.dropFirst(Int(length)) }
      return Array(rest.prefix(Int(length)))
    }
    guard let firmware = part(), let hardware = part(), let model = part() else { return nil }
    firmwareRevision = String(decoding: firmware, as: UTF8.self)
    hardwareRevision = String(decoding: hardware, as: UTF8.self)
    modelNumber = String(decoding: model, as: UTF8.self)
    replies = [:]
    for module in Module.allCases {
      guard let reply = part(), reply.first == module.rawValue, ModuleInfo.decode(reply) != nil else {
        return nil
      }
      replies[module] = reply
    }
    guard rest.isEmpty else { return nil }
  }
}
