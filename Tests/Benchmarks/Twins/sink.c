// Counts what a broker delivers on bench/#, and the samples in it, until a message on bench/end; prints one line of
// JSON then. sink PORT
#define _GNU_SOURCE
#include <mosquitto.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long messages, samples;
static volatile int ended;

static void received(struct mosquitto *client, void *context, const struct mosquitto_message *message) {
  (void)client, (void)context;
  if (strcmp(message->topic, "bench/end") == 0) {
    ended = 1;
    return;
  }
  messages++;
  // Both programs write "count":N.
  const char *at = message->payload ? memmem(message->payload, message->payloadlen, "\"count\":", 8) : NULL;
  samples += at ? atoi(at + 8) : 0;
}

static void connected(struct mosquitto *client, void *context, int code) {
  (void)context;
  if (code == 0) mosquitto_subscribe(client, NULL, "bench/#", 0);
}

static void subscribed(struct mosquitto *client, void *context, int id, int count, const int *granted) {
  (void)client, (void)context, (void)id, (void)count, (void)granted;
  printf("ready\n");
  fflush(stdout);
}

int main(int count, char **arguments) {
  mosquitto_lib_init();
  struct mosquitto *client = mosquitto_new("sink", true, NULL);
  mosquitto_connect_callback_set(client, connected);
  mosquitto_subscribe_callback_set(client, subscribed);
  mosquitto_message_callback_set(client, received);
  if (count < 2 || mosquitto_connect(client, "127.0.0.1", atoi(arguments[1]), 60)) return 1;
  while (!ended)
    if (mosquitto_loop(client, 100, 1)) return 1;  // The broker has gone; without it this would spin.
  printf("{\"messages\": %ld, \"samples\": %ld}\n", messages, samples);
  return 0;
}
