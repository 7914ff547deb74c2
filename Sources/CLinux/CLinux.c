#define _GNU_SOURCE
#include "CLinux.h"

#include <sys/socket.h>
#include <sys/timex.h>

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

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

int clinux_stamp_packets(int descriptor) {
  int on = 1;
  return setsockopt(descriptor, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
}

static int64_t stamp_of(struct msghdr *message) {
  for (struct cmsghdr *entry = CMSG_FIRSTHDR(message); entry; entry = CMSG_NXTHDR(message, entry)) {
    if (entry->cmsg_level != SOL_SOCKET || entry->cmsg_type != SCM_TIMESTAMPNS) continue;
    struct timespec stamp;
    memcpy(&stamp, CMSG_DATA(entry), sizeof stamp);
    return (int64_t)stamp.tv_sec * 1000000000 + stamp.tv_nsec;
  }
  return 0;
}

int clinux_receive_packets(int descriptor, void *slots, int size, int *lengths, int64_t *stamps) {
  struct mmsghdr messages[CLINUX_PACKETS_AT_ONCE];
  struct iovec parts[CLINUX_PACKETS_AT_ONCE];
  _Alignas(struct cmsghdr) char notes[CLINUX_PACKETS_AT_ONCE][CMSG_SPACE(sizeof(struct timespec))];
  for (int index = 0; index < CLINUX_PACKETS_AT_ONCE; index++) {
    parts[index] = (struct iovec){(char *)slots + (size_t)index * (size_t)size, (size_t)size};
    messages[index].msg_hdr = (struct msghdr){
        .msg_iov = &parts[index], .msg_iovlen = 1, .msg_control = notes[index], .msg_controllen = sizeof notes[index]};
  }
  int received = recvmmsg(descriptor, messages, CLINUX_PACKETS_AT_ONCE, MSG_DONTWAIT, NULL);
  for (int index = 0; index < received; index++) {
    lengths[index] = (int)messages[index].msg_len;
    stamps[index] = stamp_of(&messages[index].msg_hdr);
  }
  return received;
}
