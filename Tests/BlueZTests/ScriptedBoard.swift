import BoardKit
import DBus
import FleetModel

/// How one device of the scripted BlueZ behaves. What happens by itself is what BlueZ 5.66 does; a test changes what
/// it is about.
struct ScriptedBoard: Sendable {
  enum Answer: Sendable {
    case yes
    case never
    case error(String, String)
  }

  let id: BoardID
  var connect = Answer.yes
  /// Answers to come before `connect`, used up one by one.
  var connectFirst: [Answer] = []
  /// Whether a successful Connect is announced by the property.
  var announcesConnected = true
  var resolvesServices = true
  var announcesResolved = true
  var disconnect = Answer.yes
  var acquire: [Answer] = []
  var startNotify = Answer.yes
  var read = Answer.yes
  var value: [UInt8] = [0x55]

  var path: String {
    "\(ScriptedBlueZ.adapterPath)/dev_\(id.address.colonSeparated.replacing(":", with: "_"))"
  }
  var servicePath: String { "\(path)/service0010" }
  var notifyPath: String { "\(servicePath)/char0011" }
  var commandPath: String { "\(servicePath)/char0014" }

  static let service = AttributeUUID("326a9000-85cb-9195-d9dd-464cfbbae75a")
  static let notify = Characteristic(
    service: service, uuid: AttributeUUID("326a9006-85cb-9195-d9dd-464cfbbae75a"))
  static let command = Characteristic(
    service: service, uuid: AttributeUUID("326a9001-85cb-9195-d9dd-464cfbbae75a"))

  init(_ number: Int) { id = BoardID(BluetoothAddress(rawValue: 0xC0FF_EE00_0000 + UInt64(number))) }
}
