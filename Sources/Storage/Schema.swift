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
  ])

  /// Refuses a database of a newer version before touching it; brings an older one up to date.
  func migrate(_ file: SQLiteFile) throws(StoreFailure) {
    var migrator = DatabaseMigrator()
    for migration in migrations {
      migrator.registerMigration(migration.name) { try $0.execute(sql: migration.statements) }
    }
    let known = Set(migrations.map(\.name))
    let applied = try file.read { try migrator.appliedIdentifiers($0) }
    if let stranger = applied.subtracting(known).min() { throw .newer(stranger) }
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
