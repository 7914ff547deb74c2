// The least a program can do to publish what it keeps in SQLite until the broker has it: up to two hundred messages a synced
// transaction into the gateway's tables, published with QoS 1, a hundred under way, and marked with a later transaction.
// BYTES 0 writes each message as the gateway does, 25 samples as JSON; else all are the same bytes.
// relay PORT MESSAGES BYTES DIRECTORY; prints its processor time and that of the clock as one line of JSON.
#include "measure.h"
#include "table.h"
#include <mosquitto.h>
#include <pthread.h>

enum { WINDOW = 100, BATCH = 200, AHEAD = 5000, LONGEST = 4096, RECORD = 2, SAMPLES = 25 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t news = PTHREAD_COND_INITIALIZER;
static struct mosquitto *client;
// What was written and has not arrived yet.
static struct message { int length; char bytes[LONGEST]; } messages[AHEAD];
static int connections;
static double values[SAMPLES][3];
// Rows in the order in which they were kept: acknowledged ones, published ones, committed ones.
static sqlite3_int64 *ids;
static long acknowledged, published, committed, marked;

// As many as the window allows. The lock is held.
static void publish(void) {
  char topic[32];
  for (; published < committed && published - acknowledged < WINDOW; published++) {
    snprintf(topic, sizeof topic, "bench/%ld", published % 100);
    const struct message *message = &messages[published % AHEAD];
    if (mosquitto_publish(client, NULL, topic, message->length, message->bytes, 1, false)) exit(1);
  }
}

// A batch of samples as a document.
static void write_batch(long index, struct message *message) {
  static const char *const head =
      "{\"v\":1,\"board\":\"c0ffee%06lx\",\"stream\":\"acceleration\",\"gw\":\"bench\",\"origin\":\"stream\",\"session\":\"%s\","
      "\"boot\":1,\"seq\":%ld,\"count\":%d,\"gap_before\":0,\"batch_id\":\"%s.acceleration.%ld\","
      "\"clock\":{\"source\":\"arrival\",\"err_ms\":100},\"samples\":[";
  static const char *const session = "01M8G2WVKDBK0VXTWDM5JRXV37";
  long board = index % 100, first = index / 100 * SAMPLES;
  int at = snprintf(message->bytes, LONGEST, head, board, session, first, SAMPLES, session, first);
  for (int sample = 0; sample < SAMPLES; sample++) {
    const double *value = values[(index + sample) % SAMPLES];
    at += snprintf(message->bytes + at, LONGEST - at, "%s{\"ts_us\":%lld,\"ax_g\":%.5f,\"ay_g\":%.5f,\"az_g\":%.5f}", sample ? "," : "",
                   1795836243565410LL + (first + sample) * 10000LL, value[0], value[1], value[2]);
  }
  message->length = at + snprintf(message->bytes + at, LONGEST - at, "]}");
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
  long wanted = atol(arguments[2]);
  int length = atoi(arguments[3]);
  if (length < 0 || length > LONGEST || wanted < 1) return 64;
  ids = calloc(wanted, sizeof *ids);
  for (int index = 0; index < AHEAD; index++) memset(messages[index].bytes, 'x', messages[index].length = length);
  for (int index = 0; index < SAMPLES * 3; index++) values[index / 3][index % 3] = (rand() % 16384 - 8192) / 8192.0;
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
  while (marked < wanted) {
    long done = acknowledged, made = committed;
    long more = wanted - made < BATCH ? wanted - made : BATCH;
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
      struct message *message = &messages[index % AHEAD];
      if (!length) write_batch(index, message);
      ids[index] = keep(RECORD, topic, message->bytes, message->length);
    }
    run("COMMIT");
    pthread_mutex_lock(&lock);
    committed += more;
    publish();
  }
  printf("{\"messages\": %ld, \"cpu_s\": %.6f, \"wall_s\": %.6f}\n", wanted, processor() - start, clock_time() - began);
  return 0;
}
