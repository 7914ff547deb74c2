import Dialects
import FleetModel

/// Refusals on arrival: answered within a budget, audited, and never written into the ledger.
extension CommandDispatcher {
  func refuse(_ request: CommandRequest, _ failure: CommandFailure) async {
    guard mayAnswer() else { return }
    if failure.code == .denied {
      await publishRefusal(.deniedCommand, request.target, request.verb, request.id)
    }
    // The trail may wait for a disk that refuses; the sender does not.
    await routes.deliver([
      .reply(records.reply(request, .final(.failed(failure), took: records.waited(by: request))))
    ])
    await records.audit(refusalOf: request, failure)
  }

  /// A request that could not be read.
  func refuse(_ refused: RefusedCommand, _ target: CommandTarget, _ verb: String) async {
    if refused.failure.code == .retained {
      counters.add(to: .commandsRetained)
      await publishRefusal(.retainedCommand, target, verb, refused.id)
    }
    guard mayAnswer() else { return }
    let request = refused.request(to: target, verb, at: timekeeper.now)
    await records.audit(refusalOf: request, refused.failure)
    await routes.deliver([
      .reply(records.reply(request, .final(.failed(refused.failure), took: .zero)))
    ])
  }

  private func mayAnswer() -> Bool {
    counters.add(to: .commandsFailed)
    if refusals.allows(at: timekeeper.uptime) { return true }
    counters.add(to: .refusalsSuppressed)
    return false
  }

  private func publishRefusal(_ kind: EventKind, _ target: CommandTarget, _ verb: String, _ id: String) async
  {
    var subject = Subject.gateway
    if case .board(let board) = target, await routes.board(board) != nil { subject = .board(board) }
    let fields: JSONObject = [
      "verb": .string(verb), "id": .string(id), "target": .string(records.topics(target, verb)),
    ]
    let event = EventMessage(
      kind, "refused", of: subject, fields: fields, at: timekeeper.now, using: &random)
    await routes.deliver([.happened(event)])
  }
}
