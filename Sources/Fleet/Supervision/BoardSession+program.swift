import BoardKit
import FleetModel

/// What the board does by itself: bringing it to what is wanted, and keeping what commands change of that.
extension BoardSession {
  /// Brings the board to the ordered program. A failure of the conversation ends the link; what the board does not
  /// take is told, and leaves the rest alone.
  func applyProgram() async {
    do throws(ProtocolFailure) {
      let applied = try await driver.apply(orders.program.program)
      refusedProgram = applied.refused
      await environment.report(.program(orders.program, applied))
    } catch .unexpected(let what) {
      let failure = CommandFailure(.boardError, "the board answered something unexpected: \(what)")
      refusedProgram = Dictionary(uniqueKeysWithValues: orders.program.entries.keys.map { ($0, failure) })
      await environment.report(.program(orders.program, ProgramApplied(refused: refusedProgram)))
    } catch {
      fail(because: Self.linkFailure(error))
    }
    await tellProgramMemory()
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
    if case .done = outcome {
      orders.program = orders.program.edited(by: command)
      if let key = command.declaration?.key { refusedProgram[key] = nil }
      await environment.report(.program(orders.program, ProgramApplied(refused: refusedProgram)))
    }
    await tellProgramMemory()
    return outcome
  }

  /// Also after a failure: what was made until then is ours.
  private func tellProgramMemory() async {
    guard driver.programMemory != orders.programMemory else { return }
    orders.programMemory = driver.programMemory
    await environment.report(.programMemory(orders.programMemory, slots: driver.ownSlots))
  }
}
