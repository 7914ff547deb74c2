import BoardKit
import FleetModel

/// What the board does by itself: bringing it to what is wanted, and keeping what commands change of that.
extension BoardSession {
  /// Brings the board to the ordered program. A failure of the conversation ends the link; what the board does not
  /// take is told, and leaves the rest alone.
  func applyProgram() async {
    isProgramApplied = true
    defer { noteSteering() }
    do throws(ProtocolFailure) {
      let applied = try await driver.apply(orders.program.program)
      await environment.report(.program(refused: applied.refused))
    } catch .unexpected(let what) {
      let failure = CommandFailure(.boardError, "the board answered something unexpected: \(what)")
      await environment.report(
        .program(refused: Dictionary(uniqueKeysWithValues: orders.program.entries.keys.map { ($0, failure) }))
      )
    } catch {
      fail(because: Self.linkFailure(error))
    }
    await tellProgramMemory()
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
    enqueue(.program)
  }

  /// Carries out a command and keeps what it changes.
  func carryOut(_ command: ProgramCommand) async -> CommandOutcome {
    let outcome = await driver.perform(.program(command))
    if case .done = outcome { orders.program = orders.program.edited(by: command) }
    noteSteering()
    await tellProgramMemory()
    return outcome
  }

  /// Also after a failure: what was made until then is ours.
  private func tellProgramMemory() async {
    let record = ProgramRecord(bytes: driver.programMemory, boot: orders.boots.count)
    guard record != orders.programMemory, !(record.bytes + orders.programMemory.bytes).isEmpty else { return }
    orders.programMemory = record
    await environment.report(.programMemory(record))
  }
}
