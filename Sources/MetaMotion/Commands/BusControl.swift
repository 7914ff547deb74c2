import BoardKit
import FleetModel

/// Talks with devices on the board's buses (MQTT contract 3.9).
struct BusControl {
  let exchange: Exchange
  let inventory: Inventory

  /// Carries out one command.
  func perform(_ command: BusCommand) async throws(ProtocolFailure) -> CommandOutcome {
    guard inventory.has(.serial, from: command.firstRevision) else {
      return .failed(CommandFailure(.unsupported, "this \(inventory.model.rawValue) has no such bus"))
    }
    switch command {
    case .writeI2C, .writeSPI:
      try await exchange.write(Self.packet(command))
      return .done(evidence: .linkWrite, data: [:])
    case .readI2C(let device, _, let length):
      do {
        return try await read(command, SerialBus.directI2C, length)
      } catch .silent {
        // Boards answer nothing where no device does. Whoever reads has changed nothing.
        return .failed(
          CommandFailure(.boardError, "nothing answers at address \(device) of the I2C bus: check the device")
        )
      }
    case .readSPI(_, let length, _): return try await read(command, SerialBus.directSPI, length)
    }
  }

  private func read(
    _ command: BusCommand, _ id: UInt8, _ length: UInt8
  ) async throws(ProtocolFailure) -> CommandOutcome {
    let pattern = SerialBus.answer(on: command.register, id: id)
    let reply = try await exchange.ask(Self.packet(command), answer: pattern)
    guard let data = SerialBus.data(reply, id: id), data.count >= length else {
      throw .unreadable(reply, as: "\(length) bytes of a device")
    }
    return .done(evidence: .response, data: ["hex": .string(Hex.string(data.prefix(Int(length))))])
  }

  /// What is written.
  static func packet(_ command: BusCommand) -> [UInt8] {
    switch command {
    case .readI2C(let device, let register, let length):
      let target = SerialBus.I2CTarget(device: device, register: register)
      return SerialBus.i2c.read(SerialBus.selector(target, length: length))
    case .writeI2C(let device, let register, let data):
      return SerialBus.write(data, to: SerialBus.I2CTarget(device: device, register: register))
    case .readSPI(let link, let length, let data):
      let selector = SerialBus.selector(SerialBus.SPILink(link), length: length, sending: data)
      return SerialBus.spi.read(selector)
    case .writeSPI(let link, let data): return SerialBus.write(data, over: SerialBus.SPILink(link))
    }
  }
}

extension BusCommand {
  fileprivate var register: Register {
    switch self {
    case .readI2C, .writeI2C: SerialBus.i2c
    case .readSPI, .writeSPI: SerialBus.spi
    }
  }

  fileprivate var firstRevision: UInt8 {
    register == SerialBus.spi ? SerialBus.firstRevisionWithSPI : 0
  }
}

extension SerialBus.SPILink {
  fileprivate init(_ link: BusCommand.SPI) {
    self.init(
      slaveSelect: link.slaveSelect, clock: link.clock, output: link.output, input: link.input,
      isLeastSignificantFirst: link.isLeastSignificantFirst, mode: link.mode, clockIndex: link.clockIndex,
      isNative: link.isNative)
  }
}
