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
    ("4 log archive", LogSchema.archive),
    ("5 told gaps, unwanted logs", LogSchema.leavings),
    ("6 audit trail", auditTrail),
    ("7 runs of clock readings", LogSchema.clockRuns),
    ("8 open streams", LogSchema.openStreams),
    ("9 logs erased before they were published", LogSchema.erasedBefore),
    ("10 pauses of logs", LogSchema.pauses),
    ("11 blocked addresses", blockedAddresses),
    ("12 history of events", history),
    ("13 boards that left the file", leftBoards),
    ("14 kept streams", keptStreams),
    ("15 alarms", alarms),
    ("16 plots", LogSchema.plots),
    ("17 firmware that boards are given", firmwareJobs),
    ("18 rollouts of firmware", Schema.rollouts),
    ("19 losses of the outbox", outboxLosses),
    ("20 holes told of open streams", LogSchema.toldHoles),
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

private let outboxLosses = """
  -- One row a topic: what was dropped of it, and is in no message yet.
  CREATE TABLE outbox_loss (
    topic TEXT PRIMARY KEY NOT NULL,
    messages INTEGER NOT NULL,
    samples INTEGER NOT NULL,
    from_ns INTEGER NOT NULL,
    to_ns INTEGER NOT NULL
  ) STRICT;
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

// A board that is being given firmware may have none meanwhile: whoever is killed goes on with it.
private let firmwareJobs = """
  CREATE TABLE firmware_job (
    board TEXT PRIMARY KEY NOT NULL,
    document BLOB NOT NULL,
    time_ns INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  """
