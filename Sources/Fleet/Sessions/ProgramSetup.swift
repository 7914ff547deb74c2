import BoardKit
import FleetModel

/// What the board does by itself: bringing it to what is wanted, and keeping what commands change of that. Confined to
/// its session.
final class ProgramSetup {
  private let context: SessionContext
  private let log: BoardLog
  private let streams: StreamSetup

  init(_ context: SessionContext, log: BoardLog, streams: StreamSetup) {
    (self.context, self.log, self.streams) = (context, log, streams)
  }

  private var driver: any BoardDriver { context.driver }
  private var program: ProgramDeclarations { context.orders.wanted.program }

  /// Brings the board to the ordered program: sensors for its chains first, samples of the chains behind it. A failure
  /// of the conversation ends the link; what the board does not take is reported, and leaves the rest alone.
  func apply() async {
    streams.isProgramApplied = true
    defer { streams.noteDeviceControl() }
    let wanted = context.orders.program(log.plan)
    let hasChains = !driver.chains.isEmpty || !program[.chain].isEmpty || !program.program.streams.isEmpty
    if hasChains { _ = await streams.applyForCommand() }
    guard context.end == nil else { return }
    var differences: [String] = []
    do throws(ProtocolFailure) {
      let applied = try await driver.apply(streams.chainSources.withSources(wanted))
      differences = applied.differences
      (streams.chainSources.refused, streams.chainSources.refusedLogs) = (
        applied.refused, applied.refusedLogs
      )
      log.logged = applied.logged
    } catch .unexpected(let what) {
      let failure = CommandFailure(.boardError, "unexpected answer of the board: \(what)")
      streams.chainSources.refused = Dictionary(
        uniqueKeysWithValues: program.entries.keys.map { ($0, failure) })
    } catch {
      context.fail(because: error)
    }
    await reportMemory()
    if hasChains { await adoptChains() } else { await context.report(.chains([])) }
    await reportProgram(differences)
    await reportLogs(wanted)
  }

  private func reportLogs(_ wanted: BoardProgram) async {
    guard context.end == nil, !wanted.logs.isEmpty || !context.orders.logs.made.isEmpty else { return }
    let refused = streams.chainSources.logRefusals
    context.orders.logs.made = wanted.logs.filter { refused[$0.key] == nil }
    await context.report(.logs(context.orders.logs.made, log.logged, refused: refused))
  }

  private func reportProgram(_ differences: [String] = []) async {
    await context.report(
      .program(program, ProgramApplied(differences: differences, refused: streams.chainSources.refusals)))
  }

  /// Streams what chains yield by now, and runs the sensors that they need by now.
  private func adoptChains() async {
    guard context.end == nil else { return }
    await streams.apply()
    await context.report(.chains(driver.chains))
  }

  /// Sets up the pins whose changes are wanted: the board may have been reset, and what arrives of a pin nobody set up
  /// on this link is taken for a left-over.
  func applyPins() async {
    var refused: [UInt8: CommandFailure] = [:]
    for command in context.orders.wanted.pins {
      switch await driver.perform(.pin(command)) {
      case .done: continue
      case .failed(let failure): refused[command.pin] = failure
      case .unknown(let message): refused[command.pin] = CommandFailure(.boardError, message)
      }
    }
    await context.report(.pins(refused: refused))
  }

  /// Changes what the board should do by itself; takes effect in its turn.
  func order(_ program: ProgramDeclarations) {
    guard program != self.program else { return }
    context.orders.wanted.program = program
    streams.chainSources.refused = [:]
    context.enqueue(.program)
  }

  /// Carries out a command and keeps what it changes.
  func carryOut(_ command: ProgramCommand) async -> CommandOutcome {
    let (before, refused) = (program, streams.chainSources.refused)
    if case .createChain(let name, _, _) = command, let failure = await prepare(command, name) {
      return .failed(failure)
    }
    let outcome = await driver.perform(.program(command))
    if case .done = outcome {
      keep(command, of: before)
      if let key = command.declaration?.key { streams.chainSources.refused[key] = nil }
    } else {
      (context.orders.wanted.program, streams.chainSources.refused) = (before, refused)
    }
    streams.noteDeviceControl()
    await reportMemory()
    if command.isOfChains { await adoptChains() }
    if case .done = outcome { await reportProgram() }
    return outcome
  }

  private func keep(_ command: ProgramCommand, of before: ProgramDeclarations) {
    context.orders.wanted.program = before.edited(by: command)
    switch command {
    case .createChain(let name, _, _), .createTimer(let name, _, _):
      let known = context.orders.wanted.streams[name]
      context.orders.wanted.streams[name] = known ?? program.program.streams[name]
    case .removeChain, .removeTimer:
      for name in before.yieldingStreams.subtracting(program.yieldingStreams) {
        context.orders.wanted.streams[name] = nil
      }
    default: break
    }
  }

  /// Has the sensors run that a new chain needs, before the board gets it. Returns why that cannot be.
  private func prepare(_ command: ProgramCommand, _ name: String) async -> CommandFailure? {
    let before = program
    let key = ProgramKey(.chain, name)
    // What is there already keeps its sensors; whether it is the same, the board's driver knows.
    guard before.entries[key] == nil || streams.chainSources.refusals[key] != nil else { return nil }
    context.orders.wanted.program = before.edited(by: command)
    streams.chainSources.refused[key] = nil
    guard await streams.applyForCommand() != nil, let failure = streams.chainSources.withoutSources[name]
    else {
      return nil
    }
    context.orders.wanted.program = before
    await streams.apply()
    return failure
  }

  /// Also after a failure: what was made until then is ours.
  func reportMemory() async {
    let before = context.orders.known.program
    let record = ProgramRecord(bytes: driver.programMemory, boot: context.orders.known.boots.count)
    guard record != before, !(record.bytes + before.bytes).isEmpty else { return }
    context.orders.known.program = record
    await context.report(.programMemory(record, slots: driver.ownSlots))
  }

  /// Looks at the slots of the board, whoever filled them.
  func survey() async {
    do throws(ProtocolFailure) {
      let survey = try await driver.survey()
      await context.report(.surveyed(survey))
    } catch .unexpected {
      // What cannot be read is nothing that could be reported.
    } catch {
      context.fail(because: error)
    }
  }
}
