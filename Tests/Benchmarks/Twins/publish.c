// The least a program can do to publish with QoS 1 through libmosquitto: its own loop, a window of 100.
// publish PORT MESSAGES [BYTES]; prints its processor time and that of the clock as one line of JSON.
#include "measure.h"
#include <mosquitto.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW = 100, LENGTH = 120, LONGEST = 1 << 20 };
static long acknowledged, connections;

static void published(struct mosquitto *client, void *context, int id) {
  (void)client, (void)context, (void)id;
  acknowledged++;
}

static void connected(struct mosquitto *client, void *context, int code) {
  (void)client, (void)context;
  connections += code == 0;
}

int main(int count, char **arguments) {
  if (count < 3) return 64;
  int length = count > 3 ? atoi(arguments[3]) : LENGTH;
  if (length < 1 || length > LONGEST) return 64;
  long messages = atol(arguments[2]), sent = 0;
  mosquitto_lib_init();
  struct mosquitto *client = mosquitto_new("publish", true, NULL);
  mosquitto_int_option(client, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5);
  mosquitto_int_option(client, MOSQ_OPT_SEND_MAXIMUM, WINDOW);
  mosquitto_connect_callback_set(client, connected);
  mosquitto_publish_callback_set(client, published);
  if (mosquitto_connect(client, "127.0.0.1", atoi(arguments[1]), 60)) return 1;
  while (!connections) mosquitto_loop(client, 100, 1);
  static char payload[LONGEST];
  char topic[32];
  memset(payload, 'x', length);
  double start = processor(), began = clock_time();
  while (acknowledged < messages) {
    for (; sent < messages && sent - acknowledged < WINDOW; sent++) {
      snprintf(topic, sizeof topic, "bench/%ld", sent % 100);
      if (mosquitto_publish(client, NULL, topic, length, payload, 1, false)) return 1;
    }
    if (mosquitto_loop(client, 100, 1)) return 1;
  }
  printf("{\"messages\": %ld, \"cpu_s\": %.6f, \"wall_s\": %.6f}\n", messages, processor() - start, clock_time() - began);
  return 0;
}
