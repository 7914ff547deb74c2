import BoardKit

/// What of a macro's commands would make a board useless if they ran whenever it starts (fault F49): those that it
/// carries out, those of macros that it runs, and all that events which it makes have the board do by itself from then
/// on, however deep one is kept in another. Pure.
struct StartTrap {
  private let commands: [[UInt8]]
  /// Of this gateway, by their slots.
  private let macros: [UInt8: Macro]
  /// What the processors work on that stand in slots after a start.
  private let sources: [UInt8: SignalAddress]
  /// Whether the board also acts as if its button was pressed (protocol reference, section 27.3).
  private let isSpoofing: Bool

  /// Looks at `commands`, among `macros` by their slots; `earlier` are those that run at a start before it.
  init(_ commands: [[UInt8]], macros: [UInt8: Macro] = [:], behind earlier: [Macro] = []) {
    let made = (earlier.flatMap(\.commands) + commands).filter { $0.starts(with: Processor.creation.write()) }
    // A board gives the lowest slot first (section 14.4).
    let sources = made.enumerated().compactMap { slot, packet in
      SignalAddress(packet, at: 2).map { (UInt8(clamping: slot), $0) }
    }
    self.init(
      commands, macros, Dictionary(sources) { first, _ in first }, isSpoofing: false)
  }

  private init(
    _ commands: [[UInt8]], _ macros: [UInt8: Macro], _ sources: [UInt8: SignalAddress], isSpoofing: Bool
  ) {
    (self.commands, self.macros, self.sources, self.isSpoofing) = (commands, macros, sources, isSpoofing)
  }

  /// Why the commands must not run at every start, in words; nil where nothing speaks against it.
  var reason: String? { reason(in: commands, isAtStart: true, running: []) }

  private func reason(in commands: [[UInt8]], isAtStart: Bool, running: Set<UInt8>) -> String? {
    var ran: Set<UInt8> = []
    for command in commands where command.count > 1 {
      let register = command[1] & 0x3F
      switch Module(rawValue: command[0]) {
      case .debug where register == 0x03 && !isSpoofing:
        // What waits for the button, a pin or the end of a link may come by itself, too.
        return StartTrap(self.commands, macros, sources, isSpoofing: true).reason
      case .debug:
        if let reason = Self.reason(debug: register, isAtStart: isAtStart) { return reason }
      case .macro where register == 0x02:
        return "a board that records a macro at every start runs out of memory"
      case .macro where register == 0x05:
        guard command.count > 2, let macro = macros[command[2]] else {
          return "nobody knows what a macro of somebody else does at every start"
        }
        guard !running.contains(command[2]) else { return "a macro that runs itself never ends" }
        guard ran.insert(command[2]).inserted else { continue }
        let within = running.union([command[2]])
        if let reason = reason(in: macro.commands, isAtStart: isAtStart, running: within) { return reason }
      default: continue
      }
    }
    var embedded: [[UInt8]] = []
    for (place, packet) in commands.enumerated() where packet.starts(with: EventEntry.creation.write()) {
      guard packet.count > 7 else { return Self.unknownEvent }
      guard isSetOffByItself(packet) else { continue }
      guard let command = Self.command(of: packet, before: commands[(place + 1)...]) else {
        return Self.unknownEvent
      }
      embedded.append(command)
    }
    return embedded.isEmpty ? nil : reason(in: embedded, isAtStart: false, running: running)
  }

  private static let unknownEvent = "nobody knows what an event without its parameters does at every start"

  private static func reason(debug register: UInt8, isAtStart: Bool) -> String? {
    switch register {
    case 0x01, 0x05: "a board that resets at every start can no longer be used"
    case 0x02, 0x08: "a board that enters its bootloader at every start can no longer be used"
    case 0x07: "a board that sleeps at every start cannot be woken"
    // At the start itself there is no link.
    case 0x06 where !isAtStart:
      "a board that disconnects by itself after every start can no longer be reached"
    default: nil
    }
  }

  /// What an event runs, its parameters in the packet that completes it; nil where nobody can say, as where its trigger
  /// writes into another event or into which macro is run.
  private static func command(of packet: [UInt8], before rest: ArraySlice<[UInt8]>) -> [UInt8]? {
    let target = Array(packet[5...6])
    let isOfPrograms = [Module.event, .macro].contains(Module(rawValue: target[0]))
    guard isOfPrograms else { return target }
    let parameters = rest.first { $0.starts(with: EventEntry.parameters.write()) }?.dropFirst(2) ?? []
    guard packet.count == 8, parameters.count >= Int(packet[7]) else { return nil }
    return target + parameters.prefix(Int(packet[7]))
  }

  /// Whether an event may come without anybody's doing: not by the button, a pin or the end of a link, nor by what is
  /// computed from these.
  private func isSetOffByItself(_ packet: [UInt8]) -> Bool {
    guard !isSpoofing, var source = SignalAddress(packet, at: 2) else { return true }
    var open = sources
    while source.register == Processor.output {
      guard let slot = source.index, let root = open.removeValue(forKey: slot) else { return true }
      source = root
    }
    return source.isRead
      || ![Switch.state, Pin.change.register, RadioSettings.disconnection].contains(source.register)
  }
}
