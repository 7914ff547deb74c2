/// The statements on the log archive that rely on an index.
enum LogQuery {
  static let nextPiece = "SELECT id FROM log_page WHERE board = ? AND id > ? ORDER BY id LIMIT 1"
  static let piece = "SELECT entries FROM log_page WHERE id = ?"
  static let pageStarts = """
    SELECT page, place FROM log_page_start WHERE board = ? AND first = ? ORDER BY page DESC, place DESC
    """
  /// The piece that holds a position, and those behind it.
  static let pieces = """
    SELECT position, count, entries, look_reset_id, look_tick FROM log_page WHERE session = ? AND position >= ? ORDER BY position LIMIT ?
    """
  static let openSession = """
    SELECT * FROM log_session WHERE board = ? AND progress != 'cleared' ORDER BY number DESC LIMIT 1
    """
  static let anchors = """
    SELECT reset_id, tick, time_ns, error_ns, boot, is_host_time_known, uptime_ns FROM clock_anchor WHERE board = ? ORDER BY id
    """
  static let anchorsAtEnds = """
    WITH run AS (
      SELECT min(id) AS first, max(id) AS last FROM clock_anchor WHERE board = ?
      GROUP BY boot, reset_id, is_host_time_known)
    SELECT reset_id, tick, time_ns, error_ns, boot, is_host_time_known, uptime_ns FROM clock_anchor
    WHERE id IN (SELECT first FROM run UNION SELECT last FROM run) ORDER BY id
    """
  static let earlierLane = """
    SELECT earlier.lane AS lane FROM log_session AS earlier JOIN log_session AS this ON earlier.board = this.board
    WHERE this.id = ? AND earlier.number < this.number AND earlier.lane IS NOT NULL
    ORDER BY earlier.number DESC LIMIT 1
    """
  static let unpublished = "SELECT * FROM log_session WHERE published < stored ORDER BY number"
  static let waitingBatches = "SELECT count(*) FROM log_batch WHERE delivered_ns IS NULL"
  static let undeliveredSamples = """
    SELECT coalesce(sum(samples), 0) FROM log_batch WHERE session = ? AND delivered_ns IS NULL
    """

  /// Declared losses that no event tells yet.
  static let unpublishedGaps = """
    SELECT log_gap.*, log_session.id AS session_id FROM log_gap JOIN log_session ON number = session
    WHERE is_told = 0 ORDER BY log_gap.id
    """

  /// Delivered, gaps published, and no more on the board.
  private static let isDelivered = """
    published = stored
    AND NOT EXISTS (SELECT 1 FROM log_batch WHERE log_batch.session = number AND delivered_ns IS NULL)
    AND NOT EXISTS (SELECT 1 FROM log_gap WHERE log_gap.session = number AND is_told = 0)
    """
  private static let isDone = "progress = 'cleared' AND \(isDelivered)"
  /// Of boards that were let go of: what may still be on the board is nobody's concern any more.
  static let unwantedSession = """
    SELECT number, board FROM log_session WHERE is_unwanted = 1 AND \(isDelivered) ORDER BY number LIMIT 1
    """
  static let unwantedPieces = """
    DELETE FROM log_page WHERE id IN (SELECT id FROM log_page WHERE session = ? ORDER BY position LIMIT ?)
    """
  /// `is_unwanted` of sessions that somebody deleted; 1 is of boards that were let go of.
  static let isDeleted = "is_unwanted = 2"
  static let deletable = """
    SELECT log_session.*,
      (SELECT coalesce(sum(samples), 0) FROM log_batch WHERE log_batch.session = number) AS samples,
      stored - published
      + (SELECT coalesce(sum(samples), 0) FROM log_batch WHERE log_batch.session = number AND delivered_ns IS NULL)
      + (SELECT count(*) FROM log_gap WHERE log_gap.session = number AND is_told = 0) AS undelivered
    FROM log_session WHERE NOT \(isDeleted) ORDER BY number
    """
  static let markDeleted = """
    UPDATE log_session SET \(isDeleted), published = stored, bytes = 0
    WHERE id = ? AND NOT \(isDeleted) AND progress = 'cleared' AND (? OR \(isDelivered)) RETURNING number
    """
  static let purgeDeleted = """
    DELETE FROM log_page WHERE id IN (
      SELECT log_page.id FROM log_session JOIN log_page ON log_page.session = number WHERE \(isDeleted) LIMIT ?)
    """
  /// Oldest first.
  static let purgeablePieces = """
    SELECT log_page.id AS id, log_page.session AS session, length(entries) AS bytes, stored_ns
    FROM log_session JOIN log_page ON log_page.session = number
    WHERE bytes > 0 AND \(isDone) ORDER BY number, position LIMIT ?
    """
  static let forgetSessions = """
    DELETE FROM log_session WHERE started_ns < ? AND \(isDone)
    AND NOT EXISTS (SELECT 1 FROM log_page WHERE session = number)
    """
  /// The latest reading of a board says how fast its crystal is, and those around a session when it was.
  static let forgetAnchors = """
    DELETE FROM clock_anchor WHERE time_ns < ?1
    AND id < (SELECT max(id) FROM clock_anchor AS later WHERE later.board = clock_anchor.board)
    AND time_ns < coalesce(
      (SELECT min(started_ns) FROM log_session WHERE log_session.board = clock_anchor.board) - 86400000000000, ?1)
    """
}
