/// The statements that read the outbox in order; each is served by an index, without a sort.
enum OutboxQuery {
  /// What a message is made of, by position: names would be looked up, letter by letter, for every row.
  enum Column: Int {
    case id, priority, topic, payload, created, qos, isRetained, samples
    case contentType, responseTopic, correlation, expiry, userProperties
  }

  /// In the order of `Column`.
  static let columns = """
    outbox.id, class, topic, payload, created_ns, qos, is_retained, samples, content_type, response_topic,
    correlation, expiry_s, user_properties
    """

  /// What is on its way is skipped by its id alone, which the index holds; no row and no payload is read for it.
  static let waiting = """
    SELECT \(columns) FROM outbox JOIN outbox_payload USING (id)
    WHERE state = 0 AND outbox.id NOT IN (SELECT value FROM json_each(?))
    ORDER BY class, outbox.id LIMIT ?
    """

  /// Those that stay for a replay, and then the others, of the ids in a JSON array; `+` because the primary key finds
  /// them faster than what is in a state.
  static let deliver = """
    UPDATE outbox SET state = 1, settled_ns = ? WHERE id IN (SELECT value FROM json_each(?)) AND +state = 0
    AND is_retained = 0 AND class != 0 RETURNING bytes, samples, class
    """
  /// What the archive of logs keeps of those that are batches of it.
  static let deliverLogs = """
    UPDATE log_batch SET delivered_ns = ? WHERE message IN (SELECT value FROM json_each(?))
    """
  static let deliverForGood = """
    DELETE FROM outbox WHERE id IN (SELECT value FROM json_each(?)) AND +state = 0
    AND (is_retained = 1 OR class = 0) RETURNING bytes, samples
    """

  static let oldestWaiting = """
    SELECT created_ns, refusal FROM outbox WHERE state = 0 AND class = ? ORDER BY id LIMIT 1
    """

  static let oldestRefused = """
    SELECT created_ns, refusal FROM outbox WHERE state = 2 AND class = ? ORDER BY id LIMIT 1
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
