import FleetModel
import Storage

/// Acknowledging alarms.
extension GatewayCommand {
  /// So many alarms are named to somebody who asked for one that does not stand.
  private static let mostNames = 20

  /// Answered as done only once the disk has it: what somebody has seen stays seen over restarts (fault F179).
  func acknowledge(_ request: AlarmAcknowledgement, _ gateway: isolated Gateway) async -> CommandOutcome {
    let (named, new) = gateway.documents.alarms.book.acknowledge(
      request, by: stages.sender.claimedSender, at: gateway.now)
    guard !named.isEmpty else { return .failed(missing(request, gateway)) }
    do throws(StoreFailure) { try await AlarmReports.keep(gateway) } catch {
      gateway.documents.alarms.book.withdraw(new)
      return .failed(CommandFailure(.internal, "the acknowledgement cannot be stored: \(error)"))
    }
    gateway.documents.alarms.acknowledged()
    gateway.services.reportWaker.wake()
    return .done(
      evidence: nil,
      data: [
        "count": .integer(Int64(new.count)),
        "alarms": .array(named.prefix(AlarmReport.longest).map { .string($0.description) }),
      ])
  }

  private func missing(_ request: AlarmAcknowledgement, _ gateway: isolated Gateway) -> CommandFailure {
    guard let alarm = request.alarm else {
      return .invalid(
        "no alarm of that board or code stands now; the gateway's document alarms lists those that do")
    }
    let known = gateway.documents.alarms.book.alarms.map(\.id.description).sorted()
    return .invalid(Suggestion.missing("alarm", "\(alarm)", among: known.prefix(Self.mostNames)))
  }
}
