/// The statements on the log archive that rely on an index.
enum LogQuery {
  static let nextPiece = "SELECT id FROM log_page WHERE board = ? AND id > ? ORDER BY id LIMIT 1"
  static let piece = "SELECT entries FROM log_page WHERE id = ?"
  static let pageStarts = """
    SELECT page, place FROM log_page_start WHERE board = ? AND first = ? ORDER BY page DESC, place DESC
    """
  /// The piece that holds a position, and those behind it.
  static let pieces = """
    SELECT position, count, entries FROM log_page WHERE session = ? AND position >= ? ORDER BY position LIMIT ?
    """
  static let openSession = """
    SELECT * FROM log_session WHERE board = ? AND progress != 'cleared' ORDER BY number DESC LIMIT 1
    """
  static let undeliveredSamples = """
    SELECT coalesce(sum(samples), 0) FROM log_batch WHERE session = ? AND delivered_ns IS NULL
    """
}
