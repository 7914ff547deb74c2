import BoardKit
import FleetModel

/// What a stream of a bus reads: a register of a device, as a signal for the board and as a question for the host.
struct BusRegister: Hashable, Sendable {
  private let reading: BusStreams.Reading

  /// That of a stream; nil for a stream of anything else, or one that lacks a part of its configuration.
  init?(_ stream: String, _ configuration: JSONObject) {
    guard let reading = BusStreams.reading(stream, configuration) else { return nil }
    self.reading = reading
  }

  /// The read.
  var command: BusCommand { reading.command }

  private var numbers: Numbers {
    Numbers(width: reading.length, isSigned: reading.isSigned, isBigEndian: reading.isBigEndian)
  }

  /// The signal where the board reads it by itself, with `id`; read silently, as loggers want it.
  func signal(id: UInt8) -> Signal {
    Signal(address: SignalAddress(command.register, .silentRead, index: id), layout: .numbers(numbers))
  }

  /// What has the board read it by itself.
  func packet(id: UInt8, by access: SignalAddress.Access) -> [UInt8] {
    let loud = BusControl.packet(command, id: id)
    return Array(SignalAddress(command.register, access).bytes.prefix(2) + loud.dropFirst(2))
  }

  /// How the host reads it. Its questions have an id of their own: what is asked here reaches no processor of the
  /// board, and what the board reads for its processors answers no question.
  var question: SensorQuestion {
    let id = command.directID
    var question = SensorQuestion(
      of: SerialBus.signal(in: command.register),
      arguments: Array(BusControl.packet(command).dropFirst(2)), selector: [id])
    question.answer = SerialBus.answer(on: command.register, id: id)
    question.silence = command.silence
    let numbers = numbers
    question.values = { reply in SerialBus.data(reply, id: id).flatMap { numbers.values(in: $0, at: 0) } }
    return question
  }
}

extension Inventory {
  /// Whether its firmware has the bus.
  func hasBus(of command: BusCommand) -> Bool { has(.serial, from: command.firstRevision) }

  /// Says that it has not.
  var lacksBus: CommandFailure { CommandFailure(.unsupported, "this \(model.rawValue) has no such bus") }
}
