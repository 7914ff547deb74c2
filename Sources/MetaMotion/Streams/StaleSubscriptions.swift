/// Streams that come although nobody asked for them: subscriptions belong to the board and outlive the link (protocol
/// reference, section 2.3). Collects their registers until they are switched off (fault F55).
struct StaleSubscriptions: Sendable {
  /// How often a register is switched off before it is left to talk: a board that does not listen is not stormed.
  static let maximumAttempts = 3
  /// Of the byte with the register; the other two are set in answers.
  private static let registerBits: UInt8 = 0x3F

  private var noted: Set<Register> = []
  private var attempts: [Register: Int] = [:]
  private var processors = Slots()
  private var timers = Slots()

  /// What is told apart by its slot.
  private struct Slots {
    var noted: Set<UInt8> = []
    private var attempts: [UInt8: Int] = [:]

    mutating func note(_ slot: UInt8) {
      if attempts[slot, default: 0] < StaleSubscriptions.maximumAttempts { noted.insert(slot) }
    }

    mutating func take(except wanted: Set<UInt8>) -> [UInt8] {
      let due = noted.subtracting(wanted).sorted()
      noted = []
      for slot in due { attempts[slot, default: 0] += 1 }
      return due
    }
  }

  var isEmpty: Bool { noted.isEmpty && processors.noted.isEmpty && timers.noted.isEmpty }

  /// Takes the slot of a processor whose output nobody wanted. It goes on computing; only the host hears no more of it.
  mutating func note(processor slot: UInt8) { processors.note(slot) }

  /// Takes the slot of a timer whose ticks nobody wanted. It goes on ticking; only the host hears no more of it.
  mutating func note(timer slot: UInt8) { timers.note(slot) }

  /// The processors to switch off now.
  mutating func takeProcessors(except wanted: Set<UInt8>) -> [UInt8] { processors.take(except: wanted) }

  /// The timers to switch off now.
  mutating func takeTimers(except wanted: Set<UInt8>) -> [UInt8] { timers.take(except: wanted) }

  /// Takes the header of a packet that nobody wanted, as `Register.notificationHeader`.
  mutating func note(_ header: UInt16) {
    let number = UInt8(truncatingIfNeeded: header >> 8)
    guard let module = Module(rawValue: UInt8(truncatingIfNeeded: header)) else { return }
    let register = Register(module, number)
    // Not among them: logs, whose entries are data; macros, whose end is news; processors and timers, which are told
    // apart by their slots.
    guard number & ~Self.registerBits == 0, SensorModules.streaming.contains(register) else { return }
    if attempts[register, default: 0] < Self.maximumAttempts { noted.insert(register) }
  }

  /// The registers to switch off now. Those in `wanted` came late from before they were ordered.
  mutating func take(except wanted: Set<Register>) -> [Register] {
    let due = noted.subtracting(wanted).sorted { $0.notificationHeader < $1.notificationHeader }
    noted = []
    for register in due { attempts[register, default: 0] += 1 }
    return due
  }
}
