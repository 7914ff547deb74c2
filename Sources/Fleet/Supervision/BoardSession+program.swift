import BoardKit
import FleetModel

/// What the board does by itself: bringing it to what is wanted, and keeping what commands change of that.
extension BoardSession {
  /// Brings the board to the ordered program: sensors for its chains first, samples of the chains behind it. A failure of
  /// the conversation ends the link; what the board does not take is told, and leaves the rest alone.
  func applyProgram() async {
    isProgramApplied = true
    defer { noteSteering() }
    let (program, hasChains) = (boardProgram, !driver.chains.isEmpty || !orders.program[.chain].isEmpty)
    if hasChains { _ = await applyForCommand() }
    guard end == nil else { return }
    var differences: [String] = []
    do throws(ProtocolFailure) {
      let applied = try await driver.apply(feeding.feedable(program))
      (differences, feeding.refused) = (applied.differences, applied.refused)
      (log.logged, feeding.refusedLogs) = (applied.logged, applied.refusedLogs)
    } catch .unexpected(let what) {
      let failure = CommandFailure(.boardError, "the board answered something unexpected: \(what)")
      feeding.refused = Dictionary(uniqueKeysWithValues: orders.program.entries.keys.map { ($0, failure) })
    } catch {
      fail(because: Self.linkFailure(error))
    }
    await tellProgramMemory()
    if hasChains { await takeUpChains() } else { await environment.report(.chains([])) }
    await tellProgram(differences)
    await tellLogs(program)
  }

  private func tellLogs(_ program: BoardProgram) async {
    guard end == nil, !program.logs.isEmpty || !orders.logs.made.isEmpty else { return }
    let refused = feeding.logRefusals
    orders.logs.made = program.logs.filter { refused[$0.key] == nil }
    await environment.report(.logs(orders.logs.made, log.logged, refused: refused))
  }

  private func tellProgram(_ differences: [String] = []) async {
    await environment.report(
      .program(orders.program, ProgramApplied(differences: differences, refused: feeding.refusals)))
  }

  /// Streams what chains yield by now, and runs the sensors that they need by now.
  private func takeUpChains() async {
    guard end == nil else { return }
    await applyStreams()
    await environment.report(.chains(driver.chains))
  }

  /// Sets up the pins whose changes are wanted: the board may have been reset, and what arrives of a pin nobody set up on
  /// this link is taken for a left-over.
  func applyPins() async {
    var refused: [UInt8: CommandFailure] = [:]
    for command in orders.pins {
      switch await driver.perform(.pin(command)) {
      case .done: continue
      case .failed(let failure): refused[command.pin] = failure
      case .unknown(let message): refused[command.pin] = CommandFailure(.boardError, message)
      }
    }
    await environment.report(.pins(refused: refused))
  }

  /// Changes what the board should do by itself; takes effect in its turn.
  func order(program: ProgramDeclarations) {
    guard program != orders.program else { return }
    orders.program = program
    feeding.refused = [:]
    enqueue(.program)
  }

  /// Carries out a command and keeps what it changes.
  func carryOut(_ command: ProgramCommand) async -> CommandOutcome {
    let (program, refused) = (orders.program, feeding.refused)
    if case .createChain(let name, _, _) = command, let failure = await prepare(command, name) {
      return .failed(failure)
    }
    let outcome = await driver.perform(.program(command))
    if case .done = outcome {
      keep(command, of: program)
      if let key = command.declaration?.key { feeding.refused[key] = nil }
    } else {
      (orders.program, feeding.refused) = (program, refused)
    }
    noteSteering()
    await tellProgramMemory()
    if command.isOfChains { await takeUpChains() }
    if case .done = outcome { await tellProgram() }
    return outcome
  }

  private func keep(_ command: ProgramCommand, of program: ProgramDeclarations) {
    orders.program = program.edited(by: command)
    switch command {
    case .createChain(let name, _, _):
      orders.streams[name] = orders.streams[name] ?? orders.program.program.streams[name]
    case .removeChain(.name(let name)): orders.streams[name] = nil
    default: break
    }
  }

  /// Has the sensors run that a new chain needs, before the board gets it. Returns why that cannot be.
  private func prepare(_ command: ProgramCommand, _ name: String) async -> CommandFailure? {
    let before = orders.program
    let key = ProgramKey(.chain, name)
    // What is there already keeps its sensors; whether it is the same, the board's driver knows.
    guard before.entries[key] == nil || feeding.refusals[key] != nil else { return nil }
    orders.program = before.edited(by: command)
    feeding.refused[key] = nil
    guard await applyForCommand() != nil, let failure = feeding.unfed[name] else { return nil }
    orders.program = before
    await applyStreams()
    return failure
  }

  /// Also after a failure: what was made until then is ours.
  private func tellProgramMemory() async {
    let record = ProgramRecord(bytes: driver.programMemory, boot: orders.boots.count)
    guard record != orders.programMemory, !(record.bytes + orders.programMemory.bytes).isEmpty else { return }
    orders.programMemory = record
    await environment.report(.programMemory(record, slots: driver.ownSlots))
  }
}
