import BoardKit
import FleetModel

/// What a session is to do: from the start, and as commands and changes have it by now.
struct SessionOrders: Sendable {
  /// What is known of a board from earlier links.
  struct Known: Sendable {
    /// The driver's record of an earlier interview.
    var driverMemory: [UInt8]?
    /// What is known of the board's resets.
    var boots: BootRecord
    /// What earlier links left running for us; empty where nothing is known of the board.
    var streams: [StreamRequest] = []
    /// The driver's record of what an earlier link left of the board's program.
    var program: ProgramRecord
    /// Settings that were written since the last reset of the board.
    var settings: SettingsDeclaration
    /// When the battery was last read.
    var lastBattery: Timestamp?
    /// Where streams of earlier links ended.
    var ends = StreamEnds()
  }

  /// What a board shall do, its log aside.
  struct Wanted: Sendable {
    /// Streams by name.
    var streams: [String: StreamRequest]
    /// Whether the button raises events.
    var button: Bool
    /// What the board shall do by itself.
    var program: ProgramDeclarations
    /// What sets up the pins whose changes are wanted.
    var pins: [PinCommand] = []
    /// How the board shall present and connect itself.
    var settings: SettingsDeclaration
  }

  /// What is asked of a link beside the board's set-up.
  struct LinkHints: Sendable {
    /// Whether the board is asked for a slower and sturdier link.
    var requestsConservativeParameters = false
    /// Whether this or an earlier link of the same trouble asked for that.
    var usesConservativeParameters = false
    /// Whether somebody wants to know what stands in the board's slots.
    var wantsSurvey = false
  }

  var known: Known
  var wanted: Wanted
  /// What the board shall log, and what is known of that.
  var logs = LogOrders()
  var link = LinkHints()
  /// The serial number that the board must have; nil = any.
  var serial: String?
}

extension SessionOrders {
  /// Takes what an interview found out. Returns whether the board was reset: then it runs nothing of ours, and its
  /// slots are worth a look.
  mutating func take(_ interview: Interview, at now: Timestamp) -> Bool {
    known.driverMemory = interview.memory
    let hasRebooted = known.boots.observe(
      resetID: interview.resetID, bootTime: interview.bootTime, at: now)
    guard hasRebooted else { return false }
    (known.streams, known.settings) = ([], SettingsDeclaration())
    link.wantsSurvey = !link.usesConservativeParameters
    return true
  }

  /// What the board shall do by itself, logging included. `plan` knows which loggers have to stay until what they wrote
  /// was downloaded; nil before anybody looked at the log.
  func program(_ plan: LogPlan?) -> BoardProgram {
    var program = wanted.program.program
    program.logs = plan?.loggers ?? logs.wanted
    return program
  }

  /// Whose sensors run: a logger that only waits for a download needs none.
  func sourcedProgram(_ plan: LogPlan?) -> BoardProgram {
    var program = program(plan)
    program.logs = program.logs.filter { logs.wanted[$0.key] != nil }
    return program
  }

  /// Settings that were written already as they are desired: what the board cannot report counts as applied.
  var trustedSettings: Set<String> {
    Set(wanted.settings.keys.members.filter { known.settings.keys[$0.key] == $0.value }.map(\.key))
  }

  /// The streams that can be asked for: those of chains that the board has not, or not yet, are left out.
  func streams(of program: BoardProgram, present chains: [ChainStream]) -> [String: StreamRequest] {
    let present = Set(chains.map(\.name))
    let made = program.streams
    return wanted.streams.filter { name, _ in
      program.chains[name] == nil && made[name] == nil || present.contains(name)
    }
  }
}
