import BoardKit
import FleetModel

@testable import MetaMotion

/// Timers, events and macros.
extension ProgramPhrases {
  mutating func performTimer(_ phrase: String, _ number: String, on stage: inout VectorStage) throws -> Bool {
    if let match = phrase.wholeMatch(
      of: #/create (endless )?timer period (\d+) ms(?:, (\d+|unlimited) repetitions)?, (?:first )?fire (.+)/#)
    {
      let timer = BoardTimer(
        periodMilliseconds: UInt32(match.2) ?? 0, repetitions: match.3.flatMap { UInt16($0) },
        isImmediate: match.4 == "immediately")
      stage.writes.append(timer.command)
      let answer = stage.takeAnswer(BoardTimer.creation)
      let slot = try NotUnderstood.unless(answer.flatMap(BoardTimer.slot))
      timers.append(slot)
      objects[number] = .timer(slot)
      return stage.find("timer_id", .integer(Int64(slot)))
    }
    if phrase.wholeMatch(of: #/board assigns id \d/#) != nil { return true }
    if let match = phrase.wholeMatch(of: #/(start|stop) (?:timer (\d)|object #(\d+))/#) {
      var slot = match.2.flatMap { UInt8($0) } ?? 0
      if let number = match.3 {
        guard case .timer(let assigned)? = objects[String(number)] else { return false }
        slot = assigned
      }
      return stage.write(match.1 == "start" ? BoardTimer.start(slot) : BoardTimer.stop(slot))
    }
    if phrase == "enable tick notifications of timer 0" {
      return stage.write(BoardTimer.setNotification(0, true))
    }
    if phrase == "tear down all on-board objects" {
      stage.writes += Teardown.commands(timers: timers)
      return true
    }
    return false
  }

  /// Recording takes back what the phrases in between wrote, and writes it as entries of events instead.
  mutating func record(_ phrase: String, on stage: inout VectorStage) throws -> Bool {
    if let match = phrase.wholeMatch(of: #/begin recording commands triggered by (.+)/#) {
      recording = (stage.writes.count, try signal(String(match.1)).address)
      return true
    }
    if phrase.hasPrefix("end event recording"), let (start, source) = recording {
      try bind(Array(stage.writes[start...]), from: start, to: source, on: &stage)
      recording = nil
      return true
    }
    if phrase.hasPrefix("on disconnect: LED blue") {
      var pulse = LEDPattern.blink.pulse
      pulse.repetitions = 10
      let start = stage.writes.count
      let commands = [LED.program(.blue, pulse, revision: 1), LED.play]
      stage.writes += commands
      try bind(commands, from: start, to: signal("disconnect event").address, on: &stage)
      return true
    }
    if let match = phrase.wholeMatch(of: #/set (major) from the value of (.+)/#) {
      let length = try signal(String(match.2)).layout.byteCount
      tokens[stage.writes.count] = DataToken(length: UInt8(length), destination: 0)
      return stage.write(IBeacon.setMajor(0))
    }
    return try recordMacro(phrase, on: &stage)
  }

  private mutating func bind(
    _ commands: [[UInt8]], from start: Int, to source: SignalAddress, on stage: inout VectorStage
  ) throws {
    stage.writes.removeSubrange(start...)
    for (place, command) in commands.enumerated() {
      let token = tokens[start + place]
      let entry = try NotUnderstood.unless(EventEntry(on: source, run: command, token: token))
      stage.writes += entry.commands
      // A case without answers does not go on with its events.
      guard let slot = stage.takeAnswer(EventEntry.creation).flatMap(EventEntry.slot) else { continue }
      events.append((source, slot))
    }
    tokens = [:]
  }

  private mutating func recordMacro(_ phrase: String, on stage: inout VectorStage) throws -> Bool {
    switch phrase {
    case "begin macro (run on boot=1)": macro = (stage.writes.count, true)
    case "erase all macros": stage.writes.append(Macro.eraseAll)
    case "end macro":
      let (start, isRunAtBoot) = try NotUnderstood.unless(macro)
      // The vendor's host carries out what it records.
      let macro = Macro(isRunAtBoot: isRunAtBoot, commands: Array(stage.writes[start...]))
      stage.writes += [macro.begin] + macro.contents
    case "macro commands for a free-fall chain: accel 100 Hz 16 g":
      macro = (stage.writes.count, true)
      scales[Accelerometer.range] = 16
      graph.scales = scales
      let configuration = try NotUnderstood.unless(AccelerationConfiguration(rateHz: 100, rangeG: 16))
      stage.writes.append(try NotUnderstood.unless(board.accelerometer).configure(configuration))
    case "start accel":
      let (start, isRunAtBoot) = try NotUnderstood.unless(macro)
      let commands = stage.writes[start...] + [Accelerometer.startSampling, Accelerometer.powerOn]
      let macro = Macro(isRunAtBoot: isRunAtBoot, commands: Array(commands))
      stage.writes.replaceSubrange(start..., with: [macro.begin] + macro.contents)
      let slot = try NotUnderstood.unless(stage.takeAnswer(Macro.beginning).flatMap(Macro.slot))
      return stage.find("macro_id", .integer(Int64(slot)))
    case "power accelerometer on": stage.writes.append(Accelerometer.powerOn)
    default: return false
    }
    return true
  }
}
