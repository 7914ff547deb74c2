/// The tables of what boards logged and what is streamed, step by step: a step that was released is never changed.
enum LogSchema {
  // What boards logged, as they told it. A row per entry would cost ten times as much, so entries lie in pieces of at
  // most one page; all of a board's pieces, in the order of their ids, are its log from the last clear on.
  static let archive = """
    CREATE TABLE log_session (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      board TEXT NOT NULL,
      started_ns INTEGER NOT NULL,
      streams BLOB NOT NULL,
      boot INTEGER NOT NULL,
      reset_id INTEGER NOT NULL,
      tick INTEGER,
      progress TEXT NOT NULL,
      expected INTEGER,
      stored INTEGER NOT NULL,
      recycled_pages INTEGER,
      -- Of raw entries that are still here.
      bytes INTEGER NOT NULL DEFAULT 0,
      -- The latest read-out: what the board counted at its start, and what came of it, repeats included.
      counted INTEGER,
      received INTEGER NOT NULL DEFAULT 0,
      -- Publishing: how many of the entries are decoded, and what the next ones need.
      published INTEGER NOT NULL DEFAULT 0,
      lane BLOB
    ) STRICT;
    CREATE INDEX log_session_board ON log_session (board);
    CREATE INDEX log_session_unpublished ON log_session (number) WHERE published < stored;

    CREATE TABLE log_page (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      board TEXT NOT NULL,
      session INTEGER NOT NULL REFERENCES log_session (number) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      count INTEGER NOT NULL,
      stored_ns INTEGER NOT NULL,
      entries BLOB NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX log_page_position ON log_page (session, position);
    CREATE INDEX log_page_board ON log_page (board);

    -- Where a read-out began or a page of the board did: only there may a repeat begin.
    CREATE TABLE log_page_start (
      page INTEGER NOT NULL REFERENCES log_page (id) ON DELETE CASCADE,
      place INTEGER NOT NULL,
      board TEXT NOT NULL,
      first BLOB NOT NULL,
      PRIMARY KEY (page, place)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX log_page_start_first ON log_page_start (board, first);

    CREATE TABLE log_gap (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      session INTEGER NOT NULL REFERENCES log_session (number) ON DELETE CASCADE,
      stream TEXT,
      from_ns INTEGER,
      to_ns INTEGER,
      count INTEGER NOT NULL,
      reason TEXT NOT NULL
    ) STRICT;
    CREATE INDEX log_gap_session ON log_gap (session);

    -- Batches as they went into the outbox, under the row's id there.
    CREATE TABLE log_batch (
      message INTEGER PRIMARY KEY,
      session INTEGER NOT NULL REFERENCES log_session (number) ON DELETE CASCADE,
      stream TEXT NOT NULL,
      sequence INTEGER NOT NULL,
      samples INTEGER NOT NULL,
      gap_before INTEGER NOT NULL,
      delivered_ns INTEGER
    ) STRICT;
    CREATE INDEX log_batch_session ON log_batch (session, stream, sequence);
    -- What nobody has acknowledged; as small as the backlog.
    CREATE INDEX log_batch_waiting ON log_batch (session) WHERE delivered_ns IS NULL;

    CREATE TABLE clock_anchor (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      board TEXT NOT NULL,
      reset_id INTEGER NOT NULL,
      tick INTEGER NOT NULL,
      time_ns INTEGER NOT NULL,
      error_ns INTEGER NOT NULL,
      boot INTEGER NOT NULL,
      is_host_time_known INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX clock_anchor_board ON clock_anchor (board);
    """

  // What was lost of logs is told once by an event of its own; a board that was let go of may leave logs behind that
  // are not to be kept.
  static let leavings = """
    ALTER TABLE log_gap ADD COLUMN is_told INTEGER NOT NULL DEFAULT 0;
    -- Only these had no event until now.
    UPDATE log_gap SET is_told = 1 WHERE reason != 'discarded';
    -- Nearly always empty.
    CREATE INDEX log_gap_untold ON log_gap (session) WHERE is_told = 0;

    ALTER TABLE log_session ADD COLUMN is_unwanted INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX log_session_unwanted ON log_session (number) WHERE is_unwanted = 1;
    """

  static let clockRuns = """
    -- Finds where each run begins and ends without reading the hundreds a day in between.
    CREATE INDEX clock_anchor_run ON clock_anchor (board, boot, reset_id, is_host_time_known);
    """

  // What `clear: published` could not wait for.
  static let erasedBefore = """
    ALTER TABLE log_session ADD COLUMN is_erased_before_published INTEGER NOT NULL DEFAULT 0;
    """

  // Where each stream stands, so that a gateway that was killed can tell what it lost: as many rows as streams run.
  static let openStreams = """
    CREATE TABLE open_stream (
      session TEXT PRIMARY KEY NOT NULL,
      board TEXT NOT NULL,
      stream TEXT NOT NULL,
      last_ns INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    """

  // What was told of the hole before a session of which nothing is kept yet.
  static let toldHoles = """
    ALTER TABLE open_stream ADD COLUMN told INTEGER NOT NULL DEFAULT 0;
    """

  // What boards did not log while they were read out; at most one row per board.
  static let pauses = """
    CREATE TABLE log_pause (
      board TEXT PRIMARY KEY NOT NULL,
      since_ns INTEGER NOT NULL,
      until_ns INTEGER,
      boot INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    ALTER TABLE log_gap ADD COLUMN cause TEXT;
    -- The session's first entry behind it; null: whatever is published next.
    ALTER TABLE log_gap ADD COLUMN position INTEGER;
    -- When the clock of the board was looked at before the entries came: none of them is later.
    -- The host's monotonic time at each look: it tells whose clock jumped.
    ALTER TABLE clock_anchor ADD COLUMN uptime_ns INTEGER;
    ALTER TABLE log_page ADD COLUMN look_reset_id INTEGER;
    ALTER TABLE log_page ADD COLUMN look_tick INTEGER;
    """

  // The smallest and largest values of so many samples in a row, at several levels, of logs and kept streams alike:
  // they go with their session.
  static let plots = """
    CREATE TABLE plot (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL,
      stream TEXT NOT NULL,
      fields BLOB NOT NULL,
      -- The first sample that is summed up.
      sequence INTEGER NOT NULL,
      UNIQUE (id, stream)
    ) STRICT;
    CREATE TABLE plot_node (
      plot INTEGER NOT NULL REFERENCES plot (number) ON DELETE CASCADE,
      level INTEGER NOT NULL,
      place INTEGER NOT NULL,
      first_ns INTEGER NOT NULL,
      last_ns INTEGER NOT NULL,
      samples INTEGER NOT NULL,
      extremes BLOB NOT NULL,
      PRIMARY KEY (plot, level, place)
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER plot_log_session AFTER DELETE ON log_session BEGIN DELETE FROM plot WHERE id = OLD.id; END;
    CREATE TRIGGER plot_log_deleted AFTER UPDATE OF is_unwanted ON log_session WHEN NEW.is_unwanted = 2
      BEGIN DELETE FROM plot WHERE id = OLD.id; END;
    CREATE TRIGGER plot_kept_stream AFTER DELETE ON kept_stream BEGIN DELETE FROM plot WHERE id = OLD.id; END;
    CREATE TRIGGER plot_kept_deleted AFTER UPDATE OF id ON kept_stream WHEN NEW.id IS NULL
      BEGIN DELETE FROM plot WHERE id = OLD.id; END;
    """
}
