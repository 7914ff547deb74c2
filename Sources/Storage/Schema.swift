internal import GRDB

/// The tables, as a list of named steps. A step that was released is never changed; new ones are added below.
///
/// Each step is one transaction: a crash in between leaves the old schema or the new one, never half (fault F97).
struct Schema: Sendable {
  var migrations: [(name: String, statements: String)]

  static let current = Schema(migrations: [
    ("1 admissions, board memory, births", boards),
    ("2 command ledger", commands),
    ("3 outbox and retained topics", outbox),
    ("4 log archive", logArchive),
    ("5 told gaps, unwanted logs", logLeavings),
    ("6 audit trail", auditTrail),
    ("7 runs of clock readings", clockRuns),
    ("8 open streams", openStreams),
    ("9 logs erased before they were published", erasedBefore),
    ("10 pauses of logs", logPauses),
    ("11 blocked addresses", blockedAddresses),
    ("12 history of events", history),
    ("13 boards that left the file", leftBoards),
    ("14 kept streams", keptStreams),
    ("15 alarms", alarms),
    ("16 plots", plots),
  ])

  /// Refuses a database of a newer version before touching it; brings an older one up to date.
  func migrate(_ file: SQLiteFile) throws(StoreFailure) {
    var migrator = DatabaseMigrator()
    for migration in migrations {
      migrator.registerMigration(migration.name) { try $0.execute(sql: migration.statements) }
    }
    let known = Set(migrations.map(\.name))
    let applied = try file.read { try migrator.appliedIdentifiers($0) }
    if let unknown = applied.subtracting(known).min() { throw .newer(unknown) }
    do {
      try migrator.migrate(file.queue)
    } catch {
      throw StoreFailure(error)
    }
  }
}

private let boards = """
  CREATE TABLE admission (
    board TEXT PRIMARY KEY NOT NULL,
    document BLOB NOT NULL,
    created_ns INTEGER NOT NULL,
    admitted_by TEXT NOT NULL
  ) STRICT;

  CREATE TABLE board_memory (
    board TEXT PRIMARY KEY NOT NULL,
    driver_memory BLOB NOT NULL,
    description BLOB,
    reset_id INTEGER,
    boot_ns INTEGER,
    boot_count INTEGER NOT NULL,
    overlay BLOB NOT NULL,
    advertised_name TEXT,
    led BLOB
  ) STRICT;

  CREATE TABLE counter (
    name TEXT PRIMARY KEY NOT NULL,
    value INTEGER NOT NULL
  ) STRICT;
  """

private let commands = """
  CREATE TABLE command (
    topic TEXT NOT NULL,
    id TEXT NOT NULL,
    is_anonymous INTEGER NOT NULL,
    payload_hash INTEGER NOT NULL,
    first_seen_ns INTEGER NOT NULL,
    expires_ns INTEGER NOT NULL,
    kept_until_ns INTEGER NOT NULL,
    was_sent INTEGER NOT NULL DEFAULT 0,
    request BLOB NOT NULL,
    latest_reply BLOB NOT NULL,
    final_reply BLOB,
    PRIMARY KEY (topic, id)
  ) STRICT;
  -- Repeats of requests without an id; few rows, so partial.
  CREATE INDEX command_anonymous ON command (topic, payload_hash, first_seen_ns) WHERE is_anonymous = 1;
  -- What a crash left open; nearly always empty.
  CREATE INDEX command_unfinished ON command (first_seen_ns) WHERE final_reply IS NULL;
  -- The purge takes finished ones from the front.
  CREATE INDEX command_kept_until ON command (kept_until_ns) WHERE final_reply IS NOT NULL;
  """

// Payloads lie apart from the rows that say what became of them: marking a row delivered rewrites a few dozen
// bytes, not the payload, and fifty neighbours share one or two pages.
private let outbox = """
  CREATE TABLE outbox (
    -- AUTOINCREMENT: an id is never used again, so a late acknowledgement cannot hit another row.
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    class INTEGER NOT NULL,
    state INTEGER NOT NULL DEFAULT 0,
    topic TEXT NOT NULL,
    is_retained INTEGER NOT NULL,
    qos INTEGER NOT NULL,
    samples INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    created_ns INTEGER NOT NULL,
    settled_ns INTEGER,
    refusal TEXT,
    content_type TEXT,
    response_topic TEXT,
    correlation BLOB,
    expiry_s INTEGER,
    user_properties BLOB
  ) STRICT;
  CREATE TABLE outbox_payload (
    id INTEGER PRIMARY KEY REFERENCES outbox (id) ON DELETE CASCADE,
    payload BLOB NOT NULL
  ) STRICT;
  -- Each row is in one of the first three indices at a time. The row id is the last part of every index, so
  -- "class, then id" is read off in order, without a sort.
  CREATE INDEX outbox_waiting ON outbox (class) WHERE state = 0;
  CREATE INDEX outbox_delivered ON outbox (settled_ns) WHERE state = 1;
  CREATE INDEX outbox_refused ON outbox (class) WHERE state = 2;
  -- One row per retained topic; delivered ones are deleted, so the index is as small as the backlog.
  CREATE UNIQUE INDEX outbox_retained ON outbox (topic) WHERE is_retained = 1;

  CREATE TABLE retained (
    topic TEXT PRIMARY KEY NOT NULL,
    hash INTEGER NOT NULL
  ) STRICT;
  """

// What boards logged, as they told it. A row per entry would cost ten times as much, so entries lie in pieces of at
// most one page; all of a board's pieces, in the order of their ids, are its log from the last clear on.
private let logArchive = """
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

// What was lost of logs is told once by an event of its own; a board that was let go of may leave logs behind that are
// not to be kept.
private let logLeavings = """
  ALTER TABLE log_gap ADD COLUMN is_told INTEGER NOT NULL DEFAULT 0;
  -- Only these had no event until now.
  UPDATE log_gap SET is_told = 1 WHERE reason != 'discarded';
  -- Nearly always empty.
  CREATE INDEX log_gap_untold ON log_gap (session) WHERE is_told = 0;

  ALTER TABLE log_session ADD COLUMN is_unwanted INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX log_session_unwanted ON log_session (number) WHERE is_unwanted = 1;
  """

private let auditTrail = """
  CREATE TABLE audit (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    time_ns INTEGER NOT NULL,
    topic TEXT NOT NULL,
    request_id TEXT NOT NULL,
    target TEXT NOT NULL,
    verb TEXT NOT NULL,
    has_sender_id INTEGER NOT NULL,
    arguments BLOB NOT NULL,
    sender BLOB,
    response_topic TEXT,
    is_refusal INTEGER NOT NULL,
    -- Null while the command is under way.
    stage TEXT,
    code TEXT,
    took_ms INTEGER
  ) STRICT;
  CREATE INDEX audit_open ON audit (topic, request_id) WHERE stage IS NULL;
  CREATE INDEX audit_time ON audit (time_ns);
  CREATE INDEX audit_target ON audit (target);
  CREATE INDEX audit_refused ON audit (is_refusal);
  """

private let clockRuns = """
  -- Finds where each run begins and ends without reading the hundreds a day in between.
  CREATE INDEX clock_anchor_run ON clock_anchor (board, boot, reset_id, is_host_time_known);
  """

// What `clear: published` could not wait for.
private let erasedBefore = """
  ALTER TABLE log_session ADD COLUMN is_erased_before_published INTEGER NOT NULL DEFAULT 0;
  """

// Where each stream stands, so that a gateway that was killed can tell what it lost: as many rows as streams run.
private let openStreams = """
  CREATE TABLE open_stream (
    session TEXT PRIMARY KEY NOT NULL,
    board TEXT NOT NULL,
    stream TEXT NOT NULL,
    last_ns INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  """

// What boards did not log while they were read out; at most one row per board.
private let logPauses = """
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

// What happened, for people who ask later: bounded, so that an index more would cost more than it saves.
private let history = """
  CREATE TABLE event (
    -- AUTOINCREMENT: whoever follows goes on behind the last number he has seen.
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    time_ns INTEGER NOT NULL,
    kind TEXT NOT NULL,
    is_of_gateway INTEGER NOT NULL,
    board TEXT,
    adapter TEXT,
    document BLOB NOT NULL
  ) STRICT;
  CREATE INDEX event_time ON event (time_ns);
  """

// Boards that are not admitted until somebody names them.
private let blockedAddresses = """
  CREATE TABLE blocked_address (
    board TEXT PRIMARY KEY NOT NULL,
    since_ns INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  """

// Since when nobody wants a board whose memory is kept for when it comes back.
private let leftBoards = """
  ALTER TABLE board_memory ADD COLUMN left_ns INTEGER;
  """

// Streamed samples for exports: some seconds of a stream in a row, under its session. A session that was deleted has no
// name any more, and goes with the last of its rows.
private let keptStreams = """
  CREATE TABLE kept_stream (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT UNIQUE,
    board TEXT NOT NULL,
    stream TEXT NOT NULL,
    boot INTEGER NOT NULL,
    fields BLOB NOT NULL
  ) STRICT;
  CREATE TABLE kept_samples (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    session INTEGER NOT NULL REFERENCES kept_stream (number) ON DELETE CASCADE,
    sequence INTEGER NOT NULL,
    samples INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    gap_before INTEGER NOT NULL,
    from_ns INTEGER NOT NULL,
    to_ns INTEGER NOT NULL,
    clock TEXT NOT NULL,
    error_ms REAL,
    doubts TEXT,
    content BLOB NOT NULL
  ) STRICT;
  -- Sums are read off it, without the rows.
  CREATE INDEX kept_samples_session ON kept_samples (session, sequence, samples, bytes, gap_before);
  """

// What stood when the gateway was last there, so that a restart makes nothing new of it: as many rows as alarms stand.
private let alarms = """
  CREATE TABLE alarm (
    id TEXT PRIMARY KEY NOT NULL,
    since_ns INTEGER NOT NULL,
    sentence TEXT NOT NULL,
    name TEXT,
    acknowledged_ns INTEGER,
    acknowledged_by TEXT
  ) STRICT, WITHOUT ROWID;
  """

// The smallest and largest values of so many samples in a row, at several levels, of logs and kept streams alike: they
// go with their session.
private let plots = """
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
