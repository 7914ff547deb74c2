import BoardKit
import FleetModel

/// Loggers that nobody of us made: reported before anything is done about what they wrote (fault F113). Confined to its
/// session.
final class ForeignLoggers {
  private let context: SessionContext
  private let log: BoardLog

  init(_ context: SessionContext, log: BoardLog) { (self.context, self.log) = (context, log) }

  /// Looks for them at the first contact with a board, or `anew`, and reports those that were not reported yet.
  func meet(anew: Bool = false) async {
    guard context.end == nil, let source = context.driver.logs, anew || context.orders.logs.foreign == nil
    else { return }
    do throws(ProtocolFailure) { try await streams(source) } catch { log.giveUp(error) }
  }

  /// What they write down, as the board tells it now.
  @discardableResult
  func streams(_ source: any LogSource) async throws(ProtocolFailure) -> [LoggedStream] {
    let others = try await source.streams(anew: true).filter { !$0.isOurs }
    let slots = Set(others.flatMap(\.slots))
    let untold = slots.subtracting(context.orders.logs.foreign ?? [])
    if !untold.isEmpty {
      let entries = if let status = log.status { status.entries } else { try await source.status().entries }
      context.reportEvent(
        .unknownLogger, "found",
        [
          "slots": .array(untold.sorted().map { .integer(Int64($0)) }), "entries": .integer(Int64(entries)),
        ])
    }
    if slots != context.orders.logs.foreign {
      context.orders.logs.foreign = slots
      context.intake.note(.othersLoggers(slots))
    }
    return others
  }

  /// Whether only they wrote what the board holds, and nobody said that a visit may take it.
  var ownTheLog: Bool {
    let orders = context.orders.logs
    return orders.foreign?.isEmpty == false && log.run == nil && log.logged.isEmpty && !orders.takesForeign
  }
}
