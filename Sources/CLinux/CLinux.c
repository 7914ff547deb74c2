#define _GNU_SOURCE
#include "CLinux.h"

#include <sys/socket.h>
#include <sys/timex.h>

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

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

int clinux_send_with_descriptors(int socket, const void *bytes, int count, const int *descriptors, int number) {
  _Alignas(struct cmsghdr) char note[CMSG_SPACE(CLINUX_MOST_DESCRIPTORS * sizeof(int))] = {0};
  struct iovec part = {(void *)bytes, (size_t)count};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  if (number > 0 && number <= CLINUX_MOST_DESCRIPTORS) {
    message.msg_control = note;
    message.msg_controllen = CMSG_SPACE((size_t)number * sizeof(int));
    struct cmsghdr *entry = CMSG_FIRSTHDR(&message);
    entry->cmsg_level = SOL_SOCKET;
    entry->cmsg_type = SCM_RIGHTS;
    entry->cmsg_len = CMSG_LEN((size_t)number * sizeof(int));
    memcpy(CMSG_DATA(entry), descriptors, (size_t)number * sizeof(int));
  }
  return (int)sendmsg(socket, &message, MSG_NOSIGNAL);
}

int clinux_receive_with_descriptors(int socket, void *bytes, int count, int *descriptors, int *number) {
  // Room for more than anybody may send, so that all can be closed.
  _Alignas(struct cmsghdr) char note[CMSG_SPACE(253 * sizeof(int))];
  struct iovec part = {bytes, (size_t)count};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = note, .msg_controllen = sizeof note};
  int received = (int)recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  if (received < 0) return -1;
  for (struct cmsghdr *entry = CMSG_FIRSTHDR(&message); entry; entry = CMSG_NXTHDR(&message, entry)) {
    if (entry->cmsg_level != SOL_SOCKET || entry->cmsg_type != SCM_RIGHTS) continue;
    size_t sent = (entry->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t index = 0; index < sent; index++) {
      int descriptor;
      memcpy(&descriptor, CMSG_DATA(entry) + index * sizeof(int), sizeof descriptor);
      if (*number < CLINUX_MOST_DESCRIPTORS) descriptors[(*number)++] = descriptor;
      else close(descriptor);
    }
  }
  return received;
}

int clinux_accept(int socket) { return accept4(socket, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK); }

int clinux_close_from(posix_spawn_file_actions_t *actions, int first) {
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}
