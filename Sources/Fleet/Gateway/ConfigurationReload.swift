import FleetModel
import Logging

/// Reads the file again and has the gateway do what follows; what that is, `ReloadRule` and `FileRemoval` say.
enum ConfigurationReload {
  static func run(isConfirmed: Bool, for gateway: isolated Gateway) async -> CommandOutcome {
    let read: CheckedConfiguration
    do throws(CommandFailure) { read = try await gateway.environment.reload() } catch {
      return await refuse(error, gateway)
    }
    let rule = ReloadRule(
      read: read, gateway: gateway.configuration.gateway.id, isConfirmed: isConfirmed)
    if let failure = rule.unreadable { return await refuse(failure, gateway) }
    let change = ConfigurationChange(from: gateway.configuration, to: read.configuration)
    let removal = gateway.roster.removal(by: read.configuration)
    let names = gateway.roster.desired.compactMapValues(\.name)
    if let failure = rule.doubt(removal, naming: names) { return await refuse(failure, gateway) }
    gateway.documents.configurationError = nil
    gateway.services.reportWaker.wake()
    let troubles = await gateway.apply(change.applied)
    gateway.documents.alarms.lookAtCertificatesAgain()
    await letGo(gateway)
    await gateway.publish(
      .config, "reloaded",
      fields: change.document.merging([
        "problems": .integer(Int64(read.problems.count + troubles.count))
      ]))
    return .done(evidence: nil, data: rule.answer(change, troubles: troubles))
  }

  /// What a run begins with: boards that the store knows and the file lists no longer go, but not so many that
  /// somebody has to confirm it (fault F189).
  static func begin(with known: Set<BoardID>, for gateway: isolated Gateway) async {
    let removal = gateway.roster.begin(with: gateway.configuration, known: known)
    guard removal.needsConfirmation else {
      for board in removal.boards { await MemoryKeeping.leave(board, for: gateway) }
      return
    }
    let confirmation = FileRemoval.confirmation(by: gateway.configuration.gateway.id)
    let reason = removal.sentence(naming: [:])
    let advice =
      "they are left alone, and what is kept of them stays; put them back and reload, or, if it is meant, \(confirmation)"
    gateway.environment.log.error("\(reason)", metadata: ["advice": "\(advice)"])
    gateway.documents.configurationError = "\(reason); \(advice)"
    await gateway.publish(
      .config, "rejected", fields: ["problems": 1], message: gateway.documents.configurationError)
  }

  /// Nothing changes, and whoever looks at the gateway learns why.
  private static func refuse(_ failure: CommandFailure, _ gateway: isolated Gateway) async -> CommandOutcome {
    let errors = (failure.data["problems"]?.array ?? []).count {
      $0.object?["severity"]?.string == ConfigurationProblem.Severity.error.rawValue
    }
    gateway.documents.configurationError = failure.message
    gateway.services.reportWaker.wake()
    await gateway.publish(
      .config, "rejected", fields: ["problems": .integer(Int64(max(1, errors)))], message: failure.message)
    return .failed(failure)
  }

  /// Boards that waited for a confirmation, and were not put back, go like any other.
  private static func letGo(_ gateway: isolated Gateway) async {
    let boards = gateway.roster.letGo()
    guard !boards.isEmpty else { return }
    for board in boards { await MemoryKeeping.leave(board, for: gateway) }
    gateway.services.reportWaker.wake()
    await gateway.uplink.lookAtRetained()
  }
}
