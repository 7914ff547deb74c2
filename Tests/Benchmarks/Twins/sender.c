// Feeds a program with the notifications of many boards, as bluetoothd does: one SOCK_SEQPACKET socket a board, one
// packet a notification. Every packet holds three packed acceleration samples (protocol reference: 03 1C, nine
// little-endian int16).
//
//   sender BOARDS RATE_HZ SECONDS PROGRAM [ARGUMENT…]
//
// The program gets the sockets as descriptors 100, 101, …, BENCH_BOARDS in its environment, and writes one byte to
// descriptor 99 when it is ready; the sockets' ends are its end. RATE_HZ counts samples per board; 0 sends as fast as
// the sockets take. The last line on standard error: packets sent, and packets that found their socket full.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { READY = 99, FIRST = 100, SAMPLES = 3 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec / 1e9;
}

static void fail(const char *what) {
  perror(what);
  exit(1);
}

struct bill {
  long sent, full;
};

// Whether the socket took it.
static int send_packet(int socket, struct bill *bill) {
  static uint8_t packet[2 + SAMPLES * 6] = {0x03, 0x1c};
  static uint32_t noise = 1;
  for (unsigned index = 2; index < sizeof packet; index += 2) {
    noise = noise * 1664525 + 1013904223;
    int16_t value = (int16_t)(noise >> 16) / 8;
    memcpy(packet + index, &value, 2);
  }
  int taken = send(socket, packet, sizeof packet, MSG_DONTWAIT | MSG_NOSIGNAL) == sizeof packet;
  if (!taken && errno != EAGAIN) fail("send");
  bill->sent += taken;
  bill->full += !taken;
  return taken;
}

// Boards know nothing of each other: one packet at a time, evenly, the boards in turn. Who was woken late catches up.
static struct bill pace(const int *sockets, int boards, double packets_per_second, double end) {
  struct bill bill = {0, 0};
  double start = now();
  for (long packet = 0;; packet++) {
    double due = start + packet / packets_per_second;
    if (due >= end) return bill;
    if (due > now()) {
      struct timespec t = {(time_t)due, (long)((due - (time_t)due) * 1e9)};
      clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
    }
    send_packet(sockets[packet % boards], &bill);
  }
}

// As fast as the sockets take.
static struct bill flood(const int *sockets, int boards, double end) {
  struct bill bill = {0, 0};
  while (now() < end) {
    long before = bill.sent;
    for (int board = 0; board < boards; board++) {
      for (int packet = 0; packet < 16 && send_packet(sockets[board], &bill); packet++) continue;
    }
    struct timespec short_rest = {0, 200000};
    if (bill.sent == before) nanosleep(&short_rest, NULL);
  }
  bill.full = 0;
  return bill;
}

int main(int count, char **arguments) {
  if (count < 5) {
    fprintf(stderr, "usage: sender BOARDS RATE_HZ SECONDS PROGRAM [ARGUMENT...]\n");
    return 64;
  }
  int boards = atoi(arguments[1]);
  double rate = atof(arguments[2]), seconds = atof(arguments[3]);
  struct rlimit limit = {8192, 8192};
  setrlimit(RLIMIT_NOFILE, &limit);
  int *ours = calloc(boards, sizeof *ours), ready[2];
  // Descriptors of the program lie at FIRST and above, ours above those.
  for (int board = 0; board < boards; board++) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair)) fail("socketpair");
    ours[board] = fcntl(pair[0], F_DUPFD_CLOEXEC, FIRST + boards);
    if (ours[board] < 0 || (pair[1] != FIRST + board && dup2(pair[1], FIRST + board) < 0)) fail("dup");
    if (pair[1] == FIRST + board) fcntl(pair[1], F_SETFD, 0);
    if (pair[0] != ours[board]) close(pair[0]);
    if (pair[1] < FIRST || pair[1] >= FIRST + boards) close(pair[1]);
  }
  if (pipe2(ready, O_CLOEXEC)) fail("pipe");
  pid_t program = fork();
  if (program == 0) {
    dup2(ready[1], READY);
    setenv("BENCH_BOARDS", arguments[1], 1);
    execvp(arguments[4], arguments + 4);
    fail(arguments[4]);
  }
  close(ready[1]);
  for (int board = 0; board < boards; board++) close(FIRST + board);
  char byte;
  if (read(ready[0], &byte, 1) != 1) {
    fprintf(stderr, "the program was never ready\n");
    waitpid(program, NULL, 0);
    return 1;
  }

  double end = now() + seconds;
  struct bill bill = rate > 0 ? pace(ours, boards, boards * rate / SAMPLES, end) : flood(ours, boards, end);
  for (int board = 0; board < boards; board++) close(ours[board]);
  int status;
  waitpid(program, &status, 0);
  fprintf(stderr, "{\"sent\": %ld, \"full\": %ld}\n", bill.sent * SAMPLES, bill.full * SAMPLES);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
