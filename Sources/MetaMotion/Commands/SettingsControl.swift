import BoardKit
import FleetModel

/// Sets a board up, and reads back whether it is (MQTT contract 3.9).
struct SettingsControl {
  let exchange: Exchange
  let inventory: Inventory

  /// Carries out one command. The evidence is the weakest of the keys that can be read back.
  func perform(_ settings: BoardSettings) async throws(ProtocolFailure) -> CommandOutcome {
    let plan: SettingsPlan
    do throws(CommandFailure) {
      plan = try SettingsPlan(settings, on: inventory)
    } catch {
      return .failed(error)
    }
    var data = JSONObject()
    var isProved = !plan.steps.allSatisfy(\.proofs.isEmpty)
    for step in plan.steps {
      for packet in step.writes { try await exchange.tell(packet) }
      for proof in step.proofs {
        guard let reply = try await exchange.probe(proof.question, answer: proof.answer) else {
          isProved = false
          continue
        }
        guard proof.isMet(by: reply) else {
          throw .unexpected("\(step.key) was written, but the board answers \(reply.hex)")
        }
      }
      data[step.key] = step.value
    }
    return .done(evidence: isProved ? .readback : .linkWrite, data: data)
  }
}

extension SettingsPlan.Proof {
  fileprivate var question: [UInt8] { register.read(selector) }
  fileprivate var answer: AnswerPattern { register.answer(to: selector) }
}
