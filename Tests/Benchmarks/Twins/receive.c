// The least that any program pays for notifications: it waits for the boards' sockets, rests for a tenth of a second, takes
// all that came of each with one call, as the product does, and looks at nothing. Started by sender: receive
// Prints its processor time as one line of JSON.
#define _GNU_SOURCE
#include "measure.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { READY = 99, FIRST = 100, SAMPLES = 3, AT_ONCE = 16, LONGEST = 1024, EVENTS = 256 };

// Packets taken; `ended` is set at the end of the file.
static long take(int socket, int *ended) {
  static char slots[AT_ONCE][LONGEST], notes[AT_ONCE][CMSG_SPACE(sizeof(struct timespec))];
  struct mmsghdr messages[AT_ONCE];
  struct iovec parts[AT_ONCE];
  for (int index = 0; index < AT_ONCE; index++) {
    parts[index] = (struct iovec){slots[index], LONGEST};
    messages[index].msg_hdr = (struct msghdr){
        .msg_iov = &parts[index], .msg_iovlen = 1, .msg_control = notes[index], .msg_controllen = sizeof notes[index]};
  }
  int received = recvmmsg(socket, messages, AT_ONCE, MSG_DONTWAIT, NULL);
  long packets = 0;
  for (int index = 0; index < received; index++) packets += messages[index].msg_len > 0;
  *ended = received > packets;
  return packets;
}

int main(void) {
  const char *count = getenv("BENCH_BOARDS");
  int boards = count ? atoi(count) : 0, poll = epoll_create1(EPOLL_CLOEXEC), on = 1;
  for (int board = 0; board < boards; board++) {
    struct epoll_event event = {.events = EPOLLIN, .data.fd = FIRST + board};
    if (setsockopt(FIRST + board, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on)) return 1;
    if (epoll_ctl(poll, EPOLL_CTL_ADD, FIRST + board, &event)) return 1;
  }
  long packets = 0;
  double start = processor();
  if (write(READY, "r", 1) != 1) return 1;
  while (boards > 0) {
    struct epoll_event events[EVENTS];
    int ready = epoll_wait(poll, events, EVENTS, -1);
    for (int index = 0; index < ready; index++) {
      int ended;
      packets += take(events[index].data.fd, &ended);
      if (ended && epoll_ctl(poll, EPOLL_CTL_DEL, events[index].data.fd, NULL) == 0) boards--;
    }
    struct timespec rest = {0, 100000000};
    nanosleep(&rest, NULL);
  }
  printf("{\"samples\": %ld, \"cpu_s\": %.6f}\n", packets * SAMPLES, processor() - start);
  return 0;
}
