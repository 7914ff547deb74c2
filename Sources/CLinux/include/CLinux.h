#pragma once

// What Swift's Glibc module lacks. No feature-test macro may be defined here: it would make this module
// disagree with Glibc's about shared types. Such things belong in CLinux.c.
#include <spawn.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

// Names the calling thread, as seen in `top -H` and in debuggers. Cut to 15 bytes, the kernel's limit.
void clinux_name_this_thread(const char *name);

// Asks the kernel to note the wall clock's time of every packet that is put into the socket: 0, or -1 with errno.
int clinux_stamp_packets(int descriptor);

enum { CLINUX_PACKETS_AT_ONCE = 16 };

// Takes what the socket holds, at most CLINUX_PACKETS_AT_ONCE packets, without waiting; packet N is put at
// `slots` + N * `size` and cut to `size`, its length and its stamp into element N. The stamp is the wall clock's, in
// nanoseconds, 0 where the kernel noted none. Returns the number of packets, or -1 with errno. At the end of the file
// there are packets without length.
int clinux_receive_packets(int descriptor, void *slots, int size, int *lengths, int64_t *stamps);

// Whether the kernel knows the wall clock to be kept by a time service: 1 or 0.
int clinux_clock_is_synchronised(void);

// A connection that somebody made to a listening socket; no other program inherits it, and it does not block: its
// descriptor, or -1 with errno.
int clinux_accept(int socket);

enum { CLINUX_MOST_DESCRIPTORS = 3 };

// Sends `count` bytes through a socket of this computer, and with them `number` descriptors, at most
// CLINUX_MOST_DESCRIPTORS: how many bytes went, or -1 with errno.
int clinux_send_with_descriptors(int socket, const void *bytes, int count, const int *descriptors, int number);

// Takes at most `count` bytes, and the descriptors that came with them, which no other program will inherit; they are
// added behind the `*number` that are in `descriptors` already, and those that find no room are closed. Returns how
// many bytes came, 0 at the end, or -1 with errno.
int clinux_receive_with_descriptors(int socket, void *bytes, int count, int *descriptors, int *number);

// Has a program that will be started hold no descriptor from `first` on: 0, or an error's number.
int clinux_close_from(posix_spawn_file_actions_t *actions, int first);
