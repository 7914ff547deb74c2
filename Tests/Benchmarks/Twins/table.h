// The tables and settings of the gateway's outbox.
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *SETTINGS =
    "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA secure_delete=FAST; PRAGMA foreign_keys=ON;";
static const char *TABLES =
    "CREATE TABLE outbox (id INTEGER PRIMARY KEY AUTOINCREMENT, class INTEGER NOT NULL, state INTEGER NOT NULL DEFAULT 0,"
    " topic TEXT NOT NULL, is_retained INTEGER NOT NULL, qos INTEGER NOT NULL, samples INTEGER NOT NULL,"
    " bytes INTEGER NOT NULL, created_ns INTEGER NOT NULL, settled_ns INTEGER) STRICT;"
    "CREATE TABLE outbox_payload (id INTEGER PRIMARY KEY REFERENCES outbox (id) ON DELETE CASCADE,"
    " payload BLOB NOT NULL) STRICT;"
    "CREATE INDEX outbox_waiting ON outbox (class) WHERE state = 0;"
    "CREATE INDEX outbox_delivered ON outbox (settled_ns) WHERE state = 1;"
    "CREATE UNIQUE INDEX outbox_retained ON outbox (topic) WHERE is_retained = 1;";

static sqlite3 *database;
static sqlite3_stmt *insert, *insert_payload, *deliver, *earliest;

static void fail(const char *what) {
  fprintf(stderr, "%s: %s\n", what, sqlite3_errmsg(database));
  exit(1);
}

static void run(const char *sql) {
  if (sqlite3_exec(database, sql, NULL, NULL, NULL)) fail(sql);
}

static sqlite3_stmt *prepared(const char *sql) {
  sqlite3_stmt *statement;
  if (sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL)) fail(sql);
  return statement;
}

static void step(sqlite3_stmt *statement) {
  if (sqlite3_step(statement) != SQLITE_DONE) fail(sqlite3_sql(statement));
  sqlite3_reset(statement);
}

// A row that waits; returns its number.
static sqlite3_int64 keep(int class, const char *topic, const char *payload, int length) {
  sqlite3_bind_int(insert, 1, class);
  sqlite3_bind_text(insert, 2, topic, -1, SQLITE_TRANSIENT);
  sqlite3_bind_int(insert, 3, length + (int)strlen(topic));
  step(insert);
  sqlite3_int64 id = sqlite3_last_insert_rowid(database);
  sqlite3_bind_int64(insert_payload, 1, id);
  sqlite3_bind_blob(insert_payload, 2, payload, length, SQLITE_STATIC);
  step(insert_payload);
  return id;
}

static void open_database(const char *directory) {
  char path[4096];
  snprintf(path, sizeof path, "%s/twin.sqlite", directory);
  if (sqlite3_open(path, &database)) fail("open");
  run(SETTINGS);
  run(TABLES);
  insert = prepared("INSERT INTO outbox (class, topic, is_retained, qos, samples, bytes, created_ns)"
                    " VALUES (?, ?, 0, 1, 0, ?, 1763671000000000000)");
  insert_payload = prepared("INSERT INTO outbox_payload (id, payload) VALUES (?, ?)");
  deliver = prepared("UPDATE outbox SET state = 1, settled_ns = 1763671000000000000 WHERE id = ?");
  earliest = prepared("SELECT id FROM outbox WHERE state = 1 ORDER BY settled_ns LIMIT 200");
}
