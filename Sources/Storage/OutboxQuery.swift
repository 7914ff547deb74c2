/// The statements that read the outbox in order; each is served by an index, without a sort.
enum OutboxQuery {
  /// What is on its way is skipped by its id alone, which the index holds; no row and no payload is read for it.
  static let waiting = """
    SELECT * FROM outbox JOIN outbox_payload USING (id)
    WHERE state = 0 AND outbox.id NOT IN (SELECT value FROM json_each(?))
    ORDER BY class, outbox.id LIMIT ?
    """

  static let oldestWaiting = """
    SELECT created_ns FROM outbox WHERE state = 0 AND class = ? ORDER BY id LIMIT 1
    """

  /// Waiting and refused ones; their two indices are read in step.
  static let oldestRecords = """
    SELECT id, state, topic, samples, bytes, created_ns FROM outbox WHERE state = 0 AND class = 2
    UNION ALL
    SELECT id, state, topic, samples, bytes, created_ns FROM outbox WHERE state = 2 AND class = 2
    ORDER BY id LIMIT ?
    """

  static let earliestDelivered = """
    SELECT id, bytes, settled_ns FROM outbox WHERE state = 1 ORDER BY settled_ns LIMIT ?
    """
}
