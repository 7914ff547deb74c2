package import BoardKit
package import FleetModel

/// A MetaMotion on the air: its firmware behind the attributes that the vendor gave it (protocol reference 1.1).
package struct MetaMotionBoard: SimulatedBoard {
  private static let bootloaderVersion = "0.3.1"

  /// The board's inside, for those who press its button or look at its lamps.
  package private(set) var firmware: Firmware
  private var lastWritten: [UInt8] = []
  private var lastNotified: [UInt8] = []

  package init(_ firmware: Firmware) { self.firmware = firmware }

  package var address: BluetoothAddress { firmware.identity.address }
  package var advertisement: Advertisement? { firmware.advertisement }
  package var nextEvent: Duration? { firmware.nextEvent }

  package var services: [AttributeService] {
    firmware.isBootloader ? MetaMotionAttributes.bootloaderTable : MetaMotionAttributes.applicationTable
  }

  package mutating func advance(to now: Duration) -> [BoardEffect] {
    perform { firmware in firmware.advance(to: now) }
  }

  package mutating func connected(at now: Duration) -> [BoardEffect] {
    perform { firmware in firmware.connected(at: now) }
  }

  package mutating func disconnected(at now: Duration) -> [BoardEffect] {
    perform { firmware in firmware.disconnected(at: now) }
  }

  /// Does something to the firmware from outside, such as pressing its button.
  package mutating func perform(_ action: (inout Firmware) -> [Effect]) -> [BoardEffect] {
    action(&firmware).map { effect in
      switch effect {
      case .notify(let packet):
        lastNotified = packet
        return .notify(MetaMotionAttributes.notification, packet)
      case .batteryChanged(let percent): return .notify(MetaMotionAttributes.batteryLevel, [percent])
      case .dropLink: return .dropLink
      case .advertisementChanged: return .advertisementChanged
      case .noted(let entry, let time): return .noted(entry, at: time)
      }
    }
  }

  package mutating func write(
    _ value: [UInt8], to characteristic: Characteristic, as kind: WriteKind, at now: Duration
  ) throws(AttributeError) -> [BoardEffect] {
    guard let attribute = attribute(characteristic) else { throw .attributeNotFound }
    let needed: AttributeProperties = kind == .command ? .writeWithoutResponse : .write
    guard attribute.properties.contains(needed) else { throw .writeNotPermitted }
    guard characteristic == MetaMotionAttributes.command else { return [] }
    guard value.count <= Packet.maximumLength else { throw .invalidLength }
    lastWritten = value
    return perform { firmware in firmware.write(value, at: now) }
  }

  package mutating func read(
    _ characteristic: Characteristic, at now: Duration
  ) throws(AttributeError) -> [UInt8] {
    guard let attribute = attribute(characteristic) else { throw .attributeNotFound }
    guard attribute.properties.contains(.read) else { throw .readNotPermitted }
    switch characteristic {
    case MetaMotionAttributes.command: return lastWritten
    case MetaMotionAttributes.notification: return lastNotified
    case MetaMotionAttributes.batteryLevel: return [firmware.batteryPercent(at: now)]
    default: return Array((information[characteristic.uuid] ?? "").utf8)
    }
  }

  package mutating func suffer(_ mishap: Mishap, at now: Duration) -> [BoardEffect] {
    switch mishap {
    case .reset: perform { firmware in firmware.cyclePower(at: now) }
    case .battery(let percent): perform { firmware in firmware.setBattery(percent: Double(percent), at: now) }
    }
  }

  private func attribute(_ characteristic: Characteristic) -> AttributeService.Attribute? {
    services.first { $0.uuid == characteristic.service }?.characteristics
      .first { $0.uuid == characteristic.uuid }
  }

  /// Device information. The bootloader shows its own version (protocol reference 1.1).
  private var information: [AttributeUUID: String] {
    [
      MetaMotionAttributes.modelNumber: firmware.model.modelNumber,
      MetaMotionAttributes.serialNumber: firmware.identity.serial,
      MetaMotionAttributes.firmwareRevision: firmware.isBootloader
        ? Self.bootloaderVersion : firmware.model.firmwareRevision,
      MetaMotionAttributes.hardwareRevision: firmware.model.hardwareRevision,
      MetaMotionAttributes.manufacturer: firmware.model.manufacturer,
    ]
  }
}
