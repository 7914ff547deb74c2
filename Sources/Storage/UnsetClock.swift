internal import FleetModel
internal import GRDB

// What was taken while the computer's clock was not set.
extension Store {
  /// The clock was set forward by `step`: what waits, what was delivered, which commands were seen and who sent them,
  /// logs with their pages, readings of boards' clocks and the history of events get the time at which that was, so
  /// that they are not taken for decades old. What is published of them stays as it was, and so do kept samples, which
  /// go with their neighbours (`KeptStreams.purge`).
  package func redate(by step: Duration) throws(StoreFailure) {
    try write(frees: true) { database in
      let limit = Timestamp(milliseconds: Timestamp.january2020).nanoseconds
      // When a board's clock was read counts its age alone: nobody said how far off the step may be.
      try database.execute(sql: "UPDATE clock_anchor SET is_host_time_known = 0 WHERE time_ns < \(limit)")
      for (table, columns) in [
        ("outbox", ["created_ns"]), ("outbox", ["settled_ns"]),
        ("command", ["first_seen_ns", "expires_ns", "kept_until_ns"]),
        ("audit", ["time_ns"]), ("event", ["time_ns"]),
        ("log_session", ["started_ns"]), ("log_page", ["stored_ns"]), ("clock_anchor", ["time_ns"]),
        ("outbox_loss", ["from_ns"]), ("outbox_loss", ["to_ns"]),
      ] {
        let changes = columns.map { "\($0) = \($0) + \(step.wholeNanoseconds)" }.joined(separator: ", ")
        try database.execute(sql: "UPDATE \(table) SET \(changes) WHERE \(columns[0]) < \(limit)")
      }
    }
  }
}
