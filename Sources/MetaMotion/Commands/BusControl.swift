import BoardKit
import FleetModel

/// Talks with devices on the board's buses (MQTT contract 3.9).
struct BusControl {
  let exchange: Exchange
  let inventory: Inventory

  /// Carries out one command.
  func perform(_ command: BusCommand) async throws(ProtocolFailure) -> CommandOutcome {
    guard inventory.hasBus(of: command) else { return .failed(inventory.lacksBus) }
    switch command {
    case .writeI2C, .writeSPI:
      try await exchange.write(Self.packet(command))
      return .done(evidence: .linkWrite, data: [:])
    case .readI2C(_, _, let length), .readSPI(_, let length, _):
      do {
        return try await read(command, length)
      } catch {
        guard case .silent = error, let silence = command.silence else { throw error }
        return .failed(silence)
      }
    }
  }

  private func read(_ command: BusCommand, _ length: UInt8) async throws(ProtocolFailure) -> CommandOutcome {
    let id = command.directID
    let pattern = SerialBus.answer(on: command.register, id: id)
    let reply = try await exchange.ask(Self.packet(command), answer: pattern)
    guard let data = SerialBus.data(reply, id: id), data.count >= length else {
      throw .unreadable(reply, as: "\(length) bytes of a device")
    }
    return .done(evidence: .response, data: ["hex": .string(Hex.string(data.prefix(Int(length))))])
  }

  /// What is written; a read has `id`, or else that of direct reads.
  static func packet(_ command: BusCommand, id: UInt8? = nil) -> [UInt8] {
    let id = id ?? command.directID
    switch command {
    case .readI2C(let device, let register, let length):
      let target = SerialBus.I2CTarget(device: device, register: register)
      return SerialBus.i2c.read(SerialBus.selector(target, length: length, id: id))
    case .writeI2C(let device, let register, let data):
      return SerialBus.write(data, to: SerialBus.I2CTarget(device: device, register: register))
    case .readSPI(let link, let length, let data):
      let selector = SerialBus.selector(SerialBus.SPILink(link), length: length, id: id, sending: data)
      return SerialBus.spi.read(selector)
    case .writeSPI(let link, let data): return SerialBus.write(data, over: SerialBus.SPILink(link))
    }
  }
}

extension BusCommand {
  /// That of its bus.
  var register: Register {
    switch self {
    case .readI2C, .writeI2C: SerialBus.i2c
    case .readSPI, .writeSPI: SerialBus.spi
    }
  }

  /// The module's that has its bus.
  var firstRevision: UInt8 { register == SerialBus.spi ? SerialBus.firstRevisionWithSPI : 0 }

  /// The id of reads that the host does.
  var directID: UInt8 { register == SerialBus.spi ? SerialBus.directSPI : SerialBus.directI2C }

  /// What it means when nothing answers a read; nil where that is nothing in particular. Boards answer nothing where no
  /// device does. Whoever reads has changed nothing.
  var silence: CommandFailure? {
    guard case .readI2C(let device, _, _) = self else { return nil }
    return CommandFailure(
      .boardError, "nothing answers at address \(device) of the I2C bus: check the device")
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
