/// The three-colour LED (protocol reference 6). Patterns live through a reconnect and end with a reset.
package struct LEDModule: FirmwareModule {
  static let id: UInt8 = 0x02
  static let name = "led"

  private enum Register {
    static let play: UInt8 = 0x01
    static let stop: UInt8 = 0x02
    static let pattern: UInt8 = 0x03
  }

  /// How far into its patterns the LED is.
  private enum Playback {
    case stopped
    case playing(since: Duration)
    case paused(at: Duration)
  }

  private let revision: UInt8
  private let assumptions: FirmwareAssumptions
  /// Green, red, blue.
  private var patterns: [LEDPattern?] = [nil, nil, nil]
  private var playback = Playback.stopped
  private var startsWhenProgrammed = false
  private var lastStop: UInt8 = 0

  init(_ board: Mainboard) {
    revision = board.model.revision(of: Self.id)
    assumptions = board.assumptions
  }

  mutating func write(_ register: UInt8, _ payload: [UInt8], on board: inout Mainboard) {
    switch (register, payload.count) {
    case (Register.play, 1) where payload[0] <= 2: play(mode: payload[0], at: board.now)
    case (Register.stop, 1) where payload[0] <= 1: stop(clearing: payload[0] == 1)
    case (Register.pattern, _):
      guard let pattern = LEDPattern(payload: payload, revision: revision) else { return }
      patterns[Int(payload[0])] = pattern
      if startsWhenProgrammed { playback = .playing(since: board.now) }
    default: return
    }
    let shown = shown(at: board.now)
    board.note(action: shown)
  }

  mutating func read(_ register: UInt8, _ payload: [UInt8], on board: inout Mainboard) -> [UInt8]? {
    switch (register, payload.count) {
    case (Register.play, 0): return [startsWhenProgrammed ? 2 : isPlaying(at: board.now) ? 1 : 0]
    case (Register.stop, 0): return [lastStop]
    case (Register.pattern, 1) where payload[0] <= 2 && assumptions.programsReadBack:
      return patterns[Int(payload[0])]?.bytes ?? assumptions.emptySlotReply.payload
    default: return nil
    }
  }

  /// Which colours are on, and until when.
  private func shown(at now: Duration) -> LedgerEntry {
    guard case .playing(let since) = playback else { return .lit([], until: nil) }
    let running = zip(["green", "red", "blue"], patterns).filter {
      $0.1?.isRunning(after: now - since) ?? false
    }
    let lengths = running.map { $0.1?.length }
    let last = lengths.contains(nil) ? nil : lengths.compactMap { $0 }.max()
    return .lit(running.map(\.0), until: last.map { since + $0 })
  }

  /// False before play, while paused, after stop, and when every repetition has been shown.
  package func isPlaying(at now: Duration) -> Bool {
    guard case .playing(let since) = playback else { return false }
    return patterns.contains { $0?.isRunning(after: now - since) ?? false }
  }

  /// Brightness of green, red and blue, each from 0 to 31.
  package func intensities(at now: Duration) -> [UInt8] {
    switch playback {
    case .stopped: [0, 0, 0]
    case .playing(let since): patterns.map { $0?.intensity(after: now - since) ?? 0 }
    case .paused(let position): patterns.map { $0?.intensity(after: position) ?? 0 }
    }
  }

  private mutating func play(mode: UInt8, at now: Duration) {
    startsWhenProgrammed = mode == 2
    switch (mode, playback) {
    case (0, .playing(let since)): playback = .paused(at: now - since)
    case (0, _): break
    case (_, .paused(let position)): playback = .playing(since: now - position)
    case (_, .playing) where isPlaying(at: now): break
    default: playback = .playing(since: now)
    }
  }

  private mutating func stop(clearing: Bool) {
    playback = .stopped
    startsWhenProgrammed = false
    lastStop = clearing ? 1 : 0
    if clearing { patterns = [nil, nil, nil] }
  }
}
