import BoardKit
import FleetModel

/// Sets a board up, and reads back whether it is (MQTT contract 3.9).
struct SettingsControl {
  let exchange: Exchange
  let inventory: Inventory

  /// Carries out one command. The evidence is the weakest of the keys that can be read back. What shall outlive a reset
  /// goes into a macro that `programs` knows the name of.
  func perform(
    _ command: SettingsCommand, keepingIn programs: ProgramControl
  ) async throws(ProtocolFailure) -> CommandOutcome {
    let plan: SettingsPlan
    do throws(CommandFailure) {
      plan = try SettingsPlan(command.settings, on: inventory)
    } catch {
      return .failed(error)
    }
    let macro = SettingsMacro(plan)
    let persistence = SettingsPersistence(exchange: exchange, inventory: inventory, programs: programs)
    var isKept = !command.isPersistent || macro.isEmpty
    if !isKept {
      // Before anything is written.
      switch try await persistence.state(of: macro) {
      case .kept: isKept = true
      case .missing: break
      case .refused(let failure): return .failed(failure)
      }
    }
    var data = JSONObject()
    var isProved = !plan.steps.allSatisfy(\.proofs.isEmpty)
    for step in plan.steps {
      isProved = try await write(step) && isProved
      data[step.key] = step.value
    }
    if !isKept { isProved = try await persistence.keep(macro) && isProved }
    return .done(evidence: isProved ? .readback : .linkWrite, data: data)
  }

  /// Writes one key, once more where it got lost (fault F104); tells whether all that can be read back was. Throws
  /// where the board tells something else.
  private func write(_ step: SettingsPlan.Step) async throws(ProtocolFailure) -> Bool {
    for packet in step.writes { try await exchange.write(packet) }
    var replies = try await replies(to: step)
    if differing(step, replies) != nil {
      for packet in step.writes { try await exchange.write(packet) }
      replies = try await self.replies(to: step)
    }
    if let reply = differing(step, replies) {
      throw .unexpected("\(step.key) was written twice, but the board answers \(reply.hex)")
    }
    return !replies.contains(nil)
  }

  /// The first answer that says something else than what was written.
  private func differing(_ step: SettingsPlan.Step, _ replies: [[UInt8]?]) -> [UInt8]? {
    for case (let proof, let reply?) in zip(step.proofs, replies) where !proof.isMet(by: reply) {
      return reply
    }
    return nil
  }

  /// What the board says of one key; nil where it is silent.
  private func replies(to step: SettingsPlan.Step) async throws(ProtocolFailure) -> [[UInt8]?] {
    var replies: [[UInt8]?] = []
    for proof in step.proofs {
      replies.append(try await exchange.probe(proof.question, answer: proof.answer))
    }
    return replies
  }
}

/// Settings as desired state (MQTT contract 1.5, 7.4).
extension SettingsControl {
  /// Brings the board to `wanted`, key by key: what one board cannot have leaves the rest alone. `trusted` are keys
  /// that it was told since its last reset, `exempt` those that are left as they are.
  func reconcile(
    _ wanted: SettingsDeclaration, trusting trusted: Set<String>, sparing exempt: Set<String>
  ) async throws(ProtocolFailure) -> SettingsApplied {
    var applied = SettingsApplied()
    var steps: [SettingsPlan.Step] = []
    for key in SettingsDeclaration.parameters.map(\.name) where wanted.keys[key] != nil {
      guard !exempt.contains(key) else {
        applied.exempt.append(key)
        continue
      }
      do throws(CommandFailure) {
        steps += try SettingsPlan(wanted.settings(key), on: inventory).steps
      } catch {
        applied.refused[key] = error
      }
    }
    for step in steps {
      let isTrusted = trusted.contains(step.key) && !(step.followsChanges && !applied.written.isEmpty)
      do throws(ProtocolFailure) {
        let replies = try await replies(to: step)
        if step.isDue(after: replies, isTrusted: isTrusted) {
          applied.written.append(step.key)
          _ = try await write(step)
        }
        applied.effective[step.key] = step.value
      } catch .unexpected(let what) {
        applied.refused[step.key] = CommandFailure(.boardError, what)
      }
    }
    return applied
  }
}

extension SettingsPlan.Proof {
  fileprivate var question: [UInt8] { register.read(selector) }
  fileprivate var answer: AnswerPattern { register.answer(to: selector) }
}
