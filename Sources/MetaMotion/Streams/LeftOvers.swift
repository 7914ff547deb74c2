/// Streams that come although nobody asked for them: subscriptions belong to the board and outlive the link (protocol
/// reference, section 2.3). Collects their registers until they are switched off (fault F55).
struct LeftOvers: Sendable {
  /// How often a register is switched off before it is left to talk: a board that does not listen is not stormed.
  static let patience = 3

  private var noted: Set<Register> = []
  private var told: [Register: Int] = [:]
  private var notedSlots: Set<UInt8> = []
  private var toldSlots: [UInt8: Int] = [:]

  var isEmpty: Bool { noted.isEmpty && notedSlots.isEmpty }

  /// Takes the slot of a processor whose output nobody wanted. It goes on computing; only the host hears no more of it.
  mutating func note(processor slot: UInt8) {
    if toldSlots[slot, default: 0] < Self.patience { notedSlots.insert(slot) }
  }

  /// The processors to switch off now.
  mutating func takeProcessors(except wanted: Set<UInt8>) -> [UInt8] {
    let due = notedSlots.subtracting(wanted).sorted()
    notedSlots = []
    for slot in due { toldSlots[slot, default: 0] += 1 }
    return due
  }

  /// Takes the header of a packet that nobody wanted, as `Register.notificationHeader`.
  mutating func note(_ header: UInt16) {
    let number = UInt8(truncatingIfNeeded: header >> 8)
    guard let module = Module(rawValue: UInt8(truncatingIfNeeded: header)),
      Self.registers[module]?.contains(number) == true
    else { return }
    let register = Register(module, number)
    if told[register, default: 0] < Self.patience { noted.insert(register) }
  }

  /// The registers to switch off now. Those in `wanted` came late from before they were ordered.
  mutating func take(except wanted: Set<Register>) -> [Register] {
    let due = noted.subtracting(wanted).sorted { $0.notificationHeader < $1.notificationHeader }
    noted = []
    for register in due { told[register, default: 0] += 1 }
    return due
  }

  /// Registers whose notifications a 0 ends, and which carry a stream and nothing else, on any chip (sections 5 to 26).
  /// Not among them: logs, whose entries are data; timers and macros, which have an owner each; processors, which are
  /// told apart by their slots.
  private static let registers: [Module: Set<UInt8>] = [
    .switch: [0x01],
    .accelerometer: [0x04, 0x05, 0x08, 0x09, 0x0A, 0x0B, 0x0C, 0x0E, 0x11, 0x14, 0x19, 0x1C],
    .gpio: [0x0A],
    .settings: [0x11, 0x12],
    .barometer: [0x01, 0x02],
    .gyroscope: [0x04, 0x05, 0x07],
    .ambientLight: [0x03],
    .magnetometer: [0x05, 0x08, 0x09],
    .sensorFusion: [0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A],
  ]
}
