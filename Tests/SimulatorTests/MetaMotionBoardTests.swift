import BoardKit
import Simulator
import Testing

struct MetaMotionBoardTests {
  private func board(_ model: BoardModel = .rl) -> MetaMotionBoard {
    MetaMotionBoard(Firmware(model: model, identity: BoardIdentity(number: 0x1234), seed: 1))
  }

  @Test func `Device information and battery are read`() throws {
    var board = board()
    func text(_ uuid: AttributeUUID) throws -> String {
      let key = Characteristic(service: MetaMotionAttributes.deviceInformation, uuid: uuid)
      return String(decoding: try board.read(key, at: .zero), as: UTF8.self)
    }
    #expect(try text(MetaMotionAttributes.modelNumber) == "5")
    #expect(try text(MetaMotionAttributes.serialNumber) == "051234")
    #expect(try text(MetaMotionAttributes.firmwareRevision) == "1.7.3")
    #expect(try text(MetaMotionAttributes.hardwareRevision) == "0.5")
    #expect(try text(MetaMotionAttributes.manufacturer) == "MbientLab Inc")
    #expect(
      try board.read(MetaMotionAttributes.batteryLevel, at: .zero) == [
        board.firmware.batteryPercent(at: .zero)
      ])
  }

  @Test func `Packets go in on one characteristic and come out on the other`() throws {
    var board = board()
    _ = board.connected(at: .zero)
    let effects = try board.write([0x03, 0x80], to: MetaMotionAttributes.command, as: .command, at: .zero)
    #expect(effects == [.notify(MetaMotionAttributes.notification, [0x03, 0x80, 0x01, 0x02])])
    #expect(try board.read(MetaMotionAttributes.command, at: .zero) == [0x03, 0x80])
    #expect(try board.read(MetaMotionAttributes.notification, at: .zero) == [0x03, 0x80, 0x01, 0x02])
  }

  @Test func `What the attributes do not allow is refused`() {
    var board = board()
    _ = board.connected(at: .zero)
    #expect(throws: AttributeError.invalidLength) {
      try board.write(
        [UInt8](repeating: 0, count: 21), to: MetaMotionAttributes.command, as: .request, at: .zero)
    }
    #expect(throws: AttributeError.writeNotPermitted) {
      try board.write([1], to: MetaMotionAttributes.notification, as: .command, at: .zero)
    }
    let absent = Characteristic(service: MetaMotionAttributes.service, uuid: AttributeUUID(assigned: 0x2A00))
    #expect(throws: AttributeError.attributeNotFound) { try board.read(absent, at: .zero) }
  }

  @Test func `The bootloader has other attributes and its own version`() throws {
    var board = board()
    _ = board.connected(at: .zero)
    let effects = try board.write([0xFE, 0x02], to: MetaMotionAttributes.command, as: .command, at: .zero)
    #expect(effects == [.dropLink, .advertisementChanged])
    #expect(
      board.services.map(\.uuid) == [MetaMotionAttributes.bootloader, MetaMotionAttributes.deviceInformation])
    #expect(throws: AttributeError.attributeNotFound) {
      try board.write([3, 0x80], to: MetaMotionAttributes.command, as: .command, at: .zero)
    }
    let version = Characteristic(
      service: MetaMotionAttributes.deviceInformation, uuid: MetaMotionAttributes.firmwareRevision)
    #expect(try board.read(version, at: .zero) == Array("0.5.0".utf8))
  }

  @Test func `A new percentage of the battery is notified while connected`() {
    var board = board()
    _ = board.connected(at: .zero)
    let first = board.firmware.batteryPercent(at: .zero)
    let effects = board.advance(to: .seconds(3600))
    let notified = effects.compactMap { effect -> UInt8? in
      if case .notify(MetaMotionAttributes.batteryLevel, let value) = effect { value.first } else { nil }
    }
    #expect(notified == (1...10).map { first - $0 })
  }
}
