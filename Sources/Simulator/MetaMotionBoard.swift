package import BoardKit
package import FleetModel

/// A MetaMotion on the air: its firmware behind the attributes that the vendor gave it (protocol reference 1.1).
package struct MetaMotionBoard: SimulatedBoard {
  private static let bootloaderVersion = "0.3.1"

  /// The board's inside, for those who press its button or look at its lamps.
  package private(set) var firmware: Firmware
  private var lastWritten: [UInt8] = []
  private var lastNotified: [UInt8] = []
  private var defects = BoardDefects()

  package init(_ firmware: Firmware) { self.firmware = firmware }

  package var address: BluetoothAddress { firmware.identity.address }
  package var advertisement: Advertisement? { firmware.advertisement }
  package var nextEvent: Duration? {
    guard firmware.isConnected, let unknown = defects.nextUnknown else { return firmware.nextEvent }
    return firmware.nextEvent.map { min($0, unknown) } ?? unknown
  }

  package var services: [AttributeService] {
    firmware.isBootloader ? MetaMotionAttributes.bootloaderTable : MetaMotionAttributes.applicationTable
  }

  package mutating func advance(to now: Duration) -> [BoardEffect] {
    perform { firmware in firmware.advance(to: now) } + notifyUnknown(at: now)
  }

  package mutating func connected(at now: Duration) -> [BoardEffect] {
    defects.restartUnknown(at: now)
    return perform { firmware in firmware.connected(at: now) }
  }

  package mutating func disconnected(at now: Duration) -> [BoardEffect] {
    perform { firmware in firmware.disconnected(at: now) }
  }

  /// Does something to the firmware from outside, such as pressing its button.
  package mutating func perform(_ action: (inout Firmware) -> [Effect]) -> [BoardEffect] {
    action(&firmware).flatMap { effect -> [BoardEffect] in
      switch effect {
      case .notify(let measured):
        let packets = defects.isAny ? defects.outgoing(measured) : [measured]
        lastNotified = packets.last ?? lastNotified
        return packets.map { .notify(MetaMotionAttributes.notification, $0) }
      case .batteryChanged(let percent):
        return [.notify(MetaMotionAttributes.batteryLevel, [defects.charge(percent)])]
      case .dropLink: return [.dropLink]
      case .advertisementChanged: return [.advertisementChanged]
      case .noted(let entry, let time): return [.noted(entry, at: time)]
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
    if defects.isAny, let packet = Packet(value), defects.swallows(packet) {
      return perform { firmware in firmware.advance(to: now) }
    }
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
    case MetaMotionAttributes.batteryLevel: return [defects.charge(firmware.batteryPercent(at: now))]
    default: return Array((information[characteristic.uuid] ?? "").utf8)
    }
  }

  package mutating func apply(_ boardFault: BoardFault, at now: Duration) -> [BoardEffect] {
    switch boardFault {
    case .reset: return perform { firmware in firmware.cyclePower(at: now) }
    case .battery(let percent):
      return perform { firmware in firmware.setBattery(percent: Double(percent), at: now) }
    case .defect(let defect):
      defects.add(defect, at: now)
      return []
    case .healed(let kind):
      defects.heal(kind)
      return []
    case .foreignHost: return entertainForeignHost(at: now)
    }
  }

  /// Another host connects, sets its recording up and leaves; a host that is connected meanwhile hears nothing of it.
  private mutating func entertainForeignHost(at now: Duration) -> [BoardEffect] {
    let wasConnected = firmware.isConnected
    return perform { firmware in
      var effects = wasConnected ? [] : firmware.connected(at: now)
      for packet in ForeignHost.packets { effects += firmware.write(packet, at: now) }
      if !wasConnected { effects += firmware.disconnected(at: now) }
      return effects.filter { effect in
        switch effect {
        case .notify, .dropLink, .batteryChanged: false
        case .advertisementChanged, .noted: true
        }
      }
    }
  }

  private mutating func notifyUnknown(at now: Duration) -> [BoardEffect] {
    guard firmware.isConnected else { return [] }
    return defects.takeUnknown(at: now).map { .notify(MetaMotionAttributes.notification, $0) }
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
