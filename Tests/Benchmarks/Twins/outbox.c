// The least a program can do to keep messages in SQLite until a broker has them: two hundred messages a transaction, and
// out of it with the next. outbox DIRECTORY; prints one line of JSON.
#include "measure.h"
#include "table.h"

enum { MESSAGES = 100000, BATCH = 200, LENGTH = 200, STATE = 0, RECORD = 2 };
static sqlite3_stmt *delete;

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
      ids[i] = keep(class, topic, payload, LENGTH);
    }
    run("COMMIT");
    if (class == RECORD) purge();
  }
  *wall = clock_time() - began;
  *used = processor() - start;
}

int main(int count, char **arguments) {
  if (count < 2) return 64;
  open_database(arguments[1]);
  delete = prepared("DELETE FROM outbox WHERE id = ?");
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
