#define _GNU_SOURCE
#include "CLinux.h"

#include <sys/timex.h>

#include <pthread.h>
#include <stdio.h>

void clinux_name_this_thread(const char *name) {
  char cut[16];
  snprintf(cut, sizeof cut, "%s", name);
  pthread_setname_np(pthread_self(), cut);
}

int clinux_clock_is_synchronised(void) {
  struct timex state = {0};
  int verdict = adjtimex(&state);
  return verdict >= 0 && verdict != TIME_ERROR;
}
