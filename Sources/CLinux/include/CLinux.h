#pragma once

// What Swift's Glibc module lacks. No feature-test macro may be defined here: it would make this module
// disagree with Glibc's about shared types. Such things belong in CLinux.c.
#include <sys/epoll.h>
#include <sys/eventfd.h>

// Names the calling thread, as seen in `top -H` and in debuggers. Cut to 15 bytes, the kernel's limit.
void clinux_name_this_thread(const char *name);

// Whether the kernel knows the wall clock to be kept by a time service: 1 or 0.
int clinux_clock_is_synchronised(void);
