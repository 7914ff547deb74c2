// The least a program can do to keep messages in SQLite until a broker has them: the tables and settings of the gateway's
// outbox, two hundred messages a transaction, and out of it with the next. outbox DIRECTORY; prints one line of JSON.
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { MESSAGES = 100000, BATCH = 200, LENGTH = 200, STATE = 0, RECORD = 2 };
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
static sqlite3_stmt *insert, *insert_payload, *deliver, *delete, *earliest;

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

static double processor(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static double clock_time(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

// Records are marked, and purged in a transaction of their own; all else is deleted at once.
static void leave(int class, const sqlite3_int64 *ids, int count) {
  for (int i = 0; i < count; i++) {
    sqlite3_stmt *statement = class == RECORD ? deliver : delete;
    sqlite3_bind_int64(statement, 1, ids[i]);
    step(statement);
  }
}

static void purge(void) {
  sqlite3_int64 ids[BATCH];
  int count = 0;
  run("BEGIN IMMEDIATE");
  while (count < BATCH && sqlite3_step(earliest) == SQLITE_ROW) ids[count++] = sqlite3_column_int64(earliest, 0);
  sqlite3_reset(earliest);
  leave(STATE, ids, count);
  run("COMMIT");
}

static void pass(int class, double *wall, double *used) {
  static char payload[LENGTH];
  sqlite3_int64 ids[BATCH];
  char topic[32];
  double began = clock_time(), start = processor();
  memset(payload, 'x', sizeof payload);
  for (int sent = 0; sent <= MESSAGES; sent += BATCH) {
    run("BEGIN IMMEDIATE");
    leave(class, ids, sent ? BATCH : 0);
    for (int i = 0; i < BATCH && sent < MESSAGES; i++) {
      snprintf(topic, sizeof topic, "bench/%d", i % 100);
      sqlite3_bind_int(insert, 1, class);
      sqlite3_bind_text(insert, 2, topic, -1, SQLITE_TRANSIENT);
      sqlite3_bind_int(insert, 3, LENGTH + (int)strlen(topic));
      step(insert);
      ids[i] = sqlite3_last_insert_rowid(database);
      sqlite3_bind_int64(insert_payload, 1, ids[i]);
      sqlite3_bind_blob(insert_payload, 2, payload, sizeof payload, SQLITE_STATIC);
      step(insert_payload);
    }
    run("COMMIT");
    if (class == RECORD) purge();
  }
  *wall = clock_time() - began;
  *used = processor() - start;
}

int main(int count, char **arguments) {
  char path[4096];
  if (count < 2) return 64;
  snprintf(path, sizeof path, "%s/twin.sqlite", arguments[1]);
  if (sqlite3_open(path, &database)) fail("open");
  run(SETTINGS);
  run(TABLES);
  insert = prepared("INSERT INTO outbox (class, topic, is_retained, qos, samples, bytes, created_ns)"
                    " VALUES (?, ?, 0, 1, 0, ?, 1763671000000000000)");
  insert_payload = prepared("INSERT INTO outbox_payload (id, payload) VALUES (?, ?)");
  deliver = prepared("UPDATE outbox SET state = 1, settled_ns = 1763671000000000000 WHERE id = ?");
  delete = prepared("DELETE FROM outbox WHERE id = ?");
  earliest = prepared("SELECT id FROM outbox WHERE state = 1 ORDER BY settled_ns LIMIT 200");
  double wall, used, record_wall, record_used;
  pass(STATE, &wall, &used);
  pass(RECORD, &record_wall, &record_used);
  sqlite3_stmt *left = prepared("SELECT count(*) FROM outbox");
  if (sqlite3_step(left) != SQLITE_ROW) fail("count");
  printf("{\"messages_per_s\": %.1f, \"cpu_us\": %.3f, \"records_per_s\": %.1f, \"record_cpu_us\": %.3f, \"left\": %d}\n",
         MESSAGES / wall, used / MESSAGES * 1e6, MESSAGES / record_wall, record_used / MESSAGES * 1e6,
         sqlite3_column_int(left, 0));
  return 0;
}
