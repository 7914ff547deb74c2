// The least a program can do to publish what it keeps in SQLite until the broker has it: up to two hundred messages a synced
// transaction into the gateway's tables, published with QoS 1, a hundred under way, and marked with a later transaction.
// relay PORT MESSAGES BYTES DIRECTORY; prints its processor time and that of the clock as one line of JSON.
#include "measure.h"
#include "table.h"
#include <mosquitto.h>
#include <pthread.h>

enum { WINDOW = 100, BATCH = 200, AHEAD = 5000, LONGEST = 1 << 20, RECORD = 2 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t news = PTHREAD_COND_INITIALIZER;
static struct mosquitto *client;
static char payload[LONGEST];
static int length, connections;
// Rows in the order in which they were kept: acknowledged ones, published ones, committed ones.
static sqlite3_int64 *ids;
static long acknowledged, published, committed, marked;

// As many as the window allows. The lock is held.
static void publish(void) {
  char topic[32];
  for (; published < committed && published - acknowledged < WINDOW; published++) {
    snprintf(topic, sizeof topic, "bench/%ld", published % 100);
    if (mosquitto_publish(client, NULL, topic, length, payload, 1, false)) exit(1);
  }
}

// The broker acknowledges in order.
static void arrived(struct mosquitto *from, void *context, int id) {
  (void)from, (void)context, (void)id;
  pthread_mutex_lock(&lock);
  acknowledged++;
  publish();
  pthread_cond_signal(&news);
  pthread_mutex_unlock(&lock);
}

static void connected(struct mosquitto *from, void *context, int code) {
  (void)from, (void)context;
  pthread_mutex_lock(&lock);
  connections += code == 0;
  pthread_cond_signal(&news);
  pthread_mutex_unlock(&lock);
}

int main(int count, char **arguments) {
  if (count < 5) return 64;
  long messages = atol(arguments[2]);
  length = atoi(arguments[3]);
  if (length < 1 || length > LONGEST || messages < 1) return 64;
  ids = calloc(messages, sizeof *ids);
  memset(payload, 'x', length);
  open_database(arguments[4]);
  mosquitto_lib_init();
  client = mosquitto_new("relay", true, NULL);
  mosquitto_int_option(client, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5);
  mosquitto_int_option(client, MOSQ_OPT_SEND_MAXIMUM, WINDOW);
  mosquitto_connect_callback_set(client, connected);
  mosquitto_publish_callback_set(client, arrived);
  if (mosquitto_connect(client, "127.0.0.1", atoi(arguments[1]), 60) || mosquitto_loop_start(client)) return 1;
  pthread_mutex_lock(&lock);
  while (!connections) pthread_cond_wait(&news, &lock);
  double start = processor(), began = clock_time();
  while (marked < messages) {
    long done = acknowledged, made = committed;
    long more = messages - made < BATCH ? messages - made : BATCH;
    if (made + more - done > AHEAD) more = 0;
    if (done == marked && !more) {
      pthread_cond_wait(&news, &lock);
      continue;
    }
    pthread_mutex_unlock(&lock);
    char topic[32];
    run("BEGIN IMMEDIATE");
    for (; marked < done; marked++) {
      sqlite3_bind_int64(deliver, 1, ids[marked]);
      step(deliver);
    }
    for (long index = made; index < made + more; index++) {
      snprintf(topic, sizeof topic, "bench/%ld", index % 100);
      ids[index] = keep(RECORD, topic, payload, length);
    }
    run("COMMIT");
    pthread_mutex_lock(&lock);
    committed += more;
    publish();
  }
  printf("{\"messages\": %ld, \"cpu_s\": %.6f, \"wall_s\": %.6f}\n", messages, processor() - start, clock_time() - began);
  return 0;
}
