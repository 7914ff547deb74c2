// The least a program can do to publish with QoS 1 through libmosquitto: its own loop, a window of 100.
// publish PORT MESSAGES; prints its processor time as one line of JSON.
#include <mosquitto.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { WINDOW = 100, LENGTH = 120 };
static long acknowledged, connections;

static void published(struct mosquitto *client, void *context, int id) {
  (void)client, (void)context, (void)id;
  acknowledged++;
}

static void connected(struct mosquitto *client, void *context, int code) {
  (void)client, (void)context;
  connections += code == 0;
}

static double processor(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

int main(int count, char **arguments) {
  if (count < 3) return 64;
  long messages = atol(arguments[2]), sent = 0;
  mosquitto_lib_init();
  struct mosquitto *client = mosquitto_new("publish", true, NULL);
  mosquitto_int_option(client, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5);
  mosquitto_int_option(client, MOSQ_OPT_SEND_MAXIMUM, WINDOW);
  mosquitto_connect_callback_set(client, connected);
  mosquitto_publish_callback_set(client, published);
  if (mosquitto_connect(client, "127.0.0.1", atoi(arguments[1]), 60)) return 1;
  while (!connections) mosquitto_loop(client, 100, 1);
  char payload[LENGTH], topic[32];
  memset(payload, 'x', sizeof payload);
  double start = processor();
  while (acknowledged < messages) {
    for (; sent < messages && sent - acknowledged < WINDOW; sent++) {
      snprintf(topic, sizeof topic, "bench/%ld", sent % 100);
      if (mosquitto_publish(client, NULL, topic, sizeof payload, payload, 1, false)) return 1;
    }
    if (mosquitto_loop(client, 100, 1)) return 1;
  }
  printf("{\"messages\": %ld, \"cpu_s\": %.6f}\n", messages, processor() - start);
  return 0;
}
