import BoardKit
import FleetModel

/// What the Bluetooth laboratory and the program that plays its boards say to each other
/// (Tests/BlueZLab/README.md, "Boards from another program"). Numbers are big endian, unlike everywhere else.
enum LabFrame {
  /// From the laboratory, about the board of this connection.
  enum FromLab: Equatable, Sendable {
    /// Which board it is; the first frame.
    case hello(BluetoothAddress)
    case connected
    case disconnected
    case write([UInt8], to: AttributeUUID, WriteKind)
    case read(AttributeUUID, number: UInt32)
    case subscribe(AttributeUUID, Bool)
    /// The size of packets, and what a later laboratory may say.
    case other
  }

  /// From the board.
  enum FromBoard: Equatable, Sendable {
    case notify(AttributeUUID, [UInt8])
    case value([UInt8], number: UInt32)
    case refused(AttributeError, number: UInt32)
    /// The laboratory answers with a value of its own.
    case unknown(number: UInt32)
    case disconnect(reason: UInt8)
    case advertise(Bool)
    /// It is something else from now on, or when its link is gone.
    case shape(LabShape)
  }
}

extension LabFrame.FromLab {
  /// Nil if the frame is shorter than its kind says.
  init?(_ frame: [UInt8]) {
    let payload = Array(frame.dropFirst())
    switch frame.first {
    case 0x01:
      // Version, index, address, name.
      guard payload.count >= 9 else { return nil }
      self = .hello(BluetoothAddress(rawValue: payload[3..<9].reduce(0) { $0 << 8 | UInt64($1) }))
    case 0x02: self = .connected
    case 0x03: self = .disconnected
    case 0x04:
      guard payload.count >= 17, let uuid = AttributeUUID(bytes: payload.prefix(16)) else { return nil }
      self = .write(Array(payload.dropFirst(17)), to: uuid, payload[16] == 0 ? .command : .request)
    case 0x05:
      guard payload.count >= 20, let uuid = AttributeUUID(bytes: payload[4..<20]) else { return nil }
      self = .read(uuid, number: payload.prefix(4).reduce(0) { $0 << 8 | UInt32($1) })
    case 0x06:
      guard payload.count >= 17, let uuid = AttributeUUID(bytes: payload.prefix(16)) else { return nil }
      self = .subscribe(uuid, payload[16] != 0)
    case nil: return nil
    default: self = .other
    }
  }
}

extension LabFrame.FromBoard {
  /// As it travels, with its length in front.
  var bytes: [UInt8] {
    let body: [UInt8] =
      switch self {
      case .notify(let uuid, let value): [0x81] + uuid.bytes + value
      case .value(let value, let number): [0x82] + number.bigEndianBytes + [0] + value
      case .refused(let error, let number): [0x82] + number.bigEndianBytes + [error.code]
      case .unknown(let number): [0x82] + number.bigEndianBytes + [0xFF]
      case .disconnect(let reason): [0x83, reason]
      case .advertise(let isOnAir): [0x84, isOnAir ? 1 : 0]
      case .shape(let shape): [0x85] + shape.bytes
      }
    return UInt32(truncatingIfNeeded: body.count).bigEndianBytes + body
  }
}

extension UInt32 {
  var bigEndianBytes: [UInt8] { littleEndianBytes.reversed() }
}

extension AttributeUUID {
  /// From 16 bytes in the order in which it is written.
  init?(bytes: ArraySlice<UInt8>) {
    guard bytes.count == 16 else { return nil }
    var text = ""
    for (index, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(index) { text += "-" }
      text += [byte].hex
    }
    self.init(text)
  }

  /// In the order in which it is written.
  var bytes: [UInt8] {
    let digits = description.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map {
      UInt8(truncatingIfNeeded: digits[$0] << 4 | digits[$0 + 1])
    }
  }
}
