import FleetModel
import Logging

/// Ends a gateway in order, within the time that a stop may take (fault F203): a link that does not end is left to
/// bluetoothd, and all that comes behind is done.
enum GatewayStop {
  /// Of the 20 s that a stop may take: for links, and for all of it. Eight of the first are for downloads.
  static let (longestForLinks, longest) = (Duration.seconds(10), Duration.seconds(14))
  /// For the outbox, where links left more.
  private static let longestForMessages = Duration.seconds(8)

  static func run(for gateway: isolated Gateway, noting note: @Sendable (StopStep) -> Void) async {
    let (timekeeper, log) = (gateway.environment.timekeeper, gateway.environment.log)
    let end = gateway.uptime + longest
    log.info("stopping")
    note(.links)
    let boards = gateway.supervisorsInOrder
    let isOver = await TimeLimit.keep(longestForLinks, by: timekeeper) {
      await withDiscardingTaskGroup { group in
        for board in boards { group.addTask { await board.retire(isStopping: true) } }
      }
      await withDiscardingTaskGroup { group in
        for board in boards { group.addTask { await board.finished() } }
      }
    }
    if !isOver {
      log.warning("not every link to a board has ended within 10 s; the rest is left to bluetoothd")
    }
    note(.messages)
    await GatewayReports.publishLast(gateway)
    await gateway.uplink.stop(within: min(longestForMessages, end - gateway.uptime))
    note(.tasks)
  }
}
