package import BoardKit
package import FleetModel

/// A MetaMotion on the air: its firmware behind the attributes that the vendor gave it (protocol reference 1.1), or its
/// bootloader behind others, perhaps at another address (34.1).
package struct MetaMotionBoard: SimulatedBoard {
  /// How often an application starts anew that was activated badly.
  private static let restlessness = Duration.seconds(20)

  /// The board's inside, for those who press its button or look at its lamps.
  package private(set) var firmware: Firmware
  package private(set) var bootloader: Bootloader
  private var lastWritten: [UInt8] = []
  private var lastNotified: [UInt8] = []
  private var defects = BoardDefects()
  /// When the application starts anew by itself.
  private var nextCrash: Duration?

  package init(_ firmware: Firmware, bootloader traits: BootloaderTraits = BootloaderTraits()) {
    self.firmware = firmware
    bootloader = Bootloader(traits, on: firmware.model, of: firmware.identity)
  }

  package var address: BluetoothAddress {
    firmware.isBootloader ? bootloader.address : firmware.identity.address
  }

  package var advertisement: Advertisement? {
    firmware.isBootloader ? bootloader.advertisement : firmware.advertisement
  }

  package var nextEvent: Duration? {
    guard !firmware.isBootloader else { return bootloader.nextEvent }
    let next = earlier(firmware.nextEvent, nextCrash)
    return firmware.isConnected ? earlier(next, defects.nextUnknown) : next
  }

  package var services: [AttributeService] {
    firmware.isBootloader
      ? MetaMotionAttributes.bootloaderTable(bootloader.traits) : MetaMotionAttributes.applicationTable
  }

  package var mtu: UInt16 { firmware.isBootloader ? Self.smallestMTU : Self.usualMTU }

  package mutating func advance(to now: Duration) -> [BoardEffect] {
    guard !firmware.isBootloader else { return load { bootloader in bootloader.advance(to: now) } }
    let effects = perform { firmware in firmware.advance(to: now) } + notifyUnknown(at: now)
    guard let crash = nextCrash, crash <= now else { return effects }
    nextCrash = now + Self.restlessness
    return effects + perform { firmware in firmware.crash(at: now) }
  }

  package mutating func connected(at now: Duration) -> [BoardEffect] {
    guard !firmware.isBootloader else { return load { bootloader in bootloader.connected(at: now) } }
    defects.restartUnknown(at: now)
    return perform { firmware in firmware.connected(at: now) }
  }

  package mutating func disconnected(at now: Duration) -> [BoardEffect] {
    guard !firmware.isBootloader else { return load { bootloader in bootloader.disconnected(at: now) } }
    return perform { firmware in firmware.disconnected(at: now) }
  }

  package mutating func subscribed(
    _ isOn: Bool, to characteristic: Characteristic, at now: Duration
  ) -> [BoardEffect] {
    guard firmware.isBootloader, characteristic == MetaMotionAttributes.bootloaderControl else { return [] }
    bootloader.subscribe(isOn)
    return []
  }

  /// Does something to the firmware from outside, such as pressing its button.
  package mutating func perform(_ action: (inout Firmware) -> [Effect]) -> [BoardEffect] {
    let wasBootloader = firmware.isBootloader
    let effects = action(&firmware)
    if firmware.isBootloader, !wasBootloader {
      nextCrash = nil
      bootloader.start(forGood: firmware.isInvalidated, at: firmware.now)
    }
    return effects.flatMap { effect -> [BoardEffect] in
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

  /// Does something to the bootloader.
  private mutating func load(_ action: (inout Bootloader) -> [Bootloader.Effect]) -> [BoardEffect] {
    var effects: [BoardEffect] = []
    for effect in action(&bootloader) {
      switch effect {
      case .notify(let value): effects.append(.notify(MetaMotionAttributes.bootloaderControl, value))
      case .dropLink: effects.append(.dropLink)
      case .advertisementChanged: effects.append(.advertisementChanged)
      case .application(let start, let time): effects += startApplication(start, at: time)
      }
    }
    return effects
  }

  private mutating func startApplication(_ start: Bootloader.Start, at now: Duration) -> [BoardEffect] {
    nextCrash = start.isRestless ? now + Self.restlessness : nil
    let isCleared = start.isNew && !bootloader.traits.keepsWhatIsStored
    return perform { firmware in
      firmware.leaveBootloader(running: start.revision?.description, clearing: isCleared, at: now)
    } + [.advertisementChanged]
  }

  package mutating func write(
    _ value: [UInt8], to characteristic: Characteristic, as kind: WriteKind, at now: Duration
  ) throws(AttributeError) -> [BoardEffect] {
    guard let attribute = attribute(characteristic) else { throw .attributeNotFound }
    let needed: AttributeProperties = kind == .command ? .writeWithoutResponse : .write
    guard attribute.properties.contains(needed) else { throw .writeNotPermitted }
    guard value.count <= Packet.maximumLength else { throw .invalidLength }
    switch characteristic {
    case MetaMotionAttributes.bootloaderControl:
      guard bootloader.isSubscribed else { throw .configurationImproper }
      return load { bootloader in bootloader.write(.control(value), at: now) }
    case MetaMotionAttributes.bootloaderPacket:
      return load { bootloader in bootloader.write(.data(value), at: now) }
    case MetaMotionAttributes.command: return command(value, at: now)
    default: return []
    }
  }

  private mutating func command(_ value: [UInt8], at now: Duration) -> [BoardEffect] {
    lastWritten = value
    let isSwallowed =
      value == [DebugModule.id, DebugModule.Register.bootloader] && bootloader.ignoresJump()
      || defects.isAny && (Packet(value).map { defects.swallows($0) } ?? false)
    return perform { firmware in isSwallowed ? firmware.advance(to: now) : firmware.write(value, at: now) }
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
    case MetaMotionAttributes.bootloaderVersion: return (bootloader.traits.version ?? 0).littleEndianBytes
    default: return Array((information[characteristic.uuid] ?? "").utf8)
    }
  }

  package mutating func apply(_ boardFault: BoardFault, at now: Duration) -> [BoardEffect] {
    switch boardFault {
    case .reset where firmware.isBootloader:
      return load { bootloader in bootloader.cyclePower(at: now) }
    case .reset: return perform { firmware in firmware.cyclePower(at: now) }
    case .battery(let percent):
      return perform { firmware in firmware.setBattery(percent: Double(percent), at: now) }
    case .defect(.bootloader(let defect)):
      bootloader.defects.add(defect)
      return []
    case .defect(let defect):
      defects.add(defect, at: now)
      return []
    case .healed(let kind):
      defects.heal(kind)
      if kind == nil || kind == .bootloader { bootloader.defects = BootloaderDefects() }
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
        ? bootloader.revision.description : firmware.model.firmwareRevision,
      MetaMotionAttributes.hardwareRevision: firmware.model.hardwareRevision,
      MetaMotionAttributes.manufacturer: firmware.model.manufacturer,
    ]
  }

  private func earlier(_ one: Duration?, _ other: Duration?) -> Duration? {
    guard let one, let other else { return one ?? other }
    return min(one, other)
  }
}
