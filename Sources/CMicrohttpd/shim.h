#pragma once

#include <microhttpd.h>
#include <netinet/in.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

// Swift calls no function with a variable number of arguments, reads no unions, and takes a text for what it is: with
// its escapes in place.

typedef struct {
  unsigned int connections;
  unsigned int connections_per_address;
  unsigned int idle_seconds;
  size_t memory_per_connection;
} cmicrohttpd_limits;

static inline size_t cmicrohttpd_keep_escapes(void *context, struct MHD_Connection *connection, char *text) {
  (void)context;
  (void)connection;
  return strlen(text);
}

// A server on a socket that listens, without a thread of its own; NULL when it cannot be had. It closes the socket.
static inline struct MHD_Daemon *cmicrohttpd_start(int listening, cmicrohttpd_limits limits,
                                                   MHD_AccessHandlerCallback handler,
                                                   MHD_RequestCompletedCallback completed,
                                                   MHD_NotifyConnectionCallback connected, void *context) {
  return MHD_start_daemon(
      MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, handler, context,
      MHD_OPTION_LISTEN_SOCKET, listening,
      MHD_OPTION_CONNECTION_LIMIT, limits.connections,
      MHD_OPTION_PER_IP_CONNECTION_LIMIT, limits.connections_per_address,
      MHD_OPTION_CONNECTION_TIMEOUT, limits.idle_seconds,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, limits.memory_per_connection,
      MHD_OPTION_STRICT_FOR_CLIENT, 1,
      MHD_OPTION_UNESCAPE_CALLBACK, cmicrohttpd_keep_escapes, NULL,
      MHD_OPTION_NOTIFY_COMPLETED, completed, context,
      MHD_OPTION_NOTIFY_CONNECTION, connected, context,
      MHD_OPTION_END);
}

// The descriptor that becomes readable when there is something to do; -1 where there is none.
static inline int cmicrohttpd_epoll_descriptor(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
  return info ? info->epoll_fd : -1;
}

// In how many milliseconds it wants to be run whatever happens; -1 for never.
static inline long long cmicrohttpd_timeout(struct MHD_Daemon *daemon) {
  MHD_UNSIGNED_LONG_LONG milliseconds = 0;
  if (MHD_get_timeout(daemon, &milliseconds) != MHD_YES) return -1;
  return milliseconds > 86400000 ? 86400000 : (long long)milliseconds;
}

static inline void cmicrohttpd_run(struct MHD_Daemon *daemon) { MHD_run(daemon); }

static inline int cmicrohttpd_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

// Whether the other end is on this computer: 1 or 0.
static inline int cmicrohttpd_is_local(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  if (!info || !info->client_addr) return 0;
  switch (info->client_addr->sa_family) {
  case AF_UNIX: return 1;
  case AF_INET: return ntohl(((const struct sockaddr_in *)(const void *)info->client_addr)->sin_addr.s_addr) >> 24 == 127;
  case AF_INET6: {
    const struct in6_addr *address = &((const struct sockaddr_in6 *)(const void *)info->client_addr)->sin6_addr;
    if (IN6_IS_ADDR_LOOPBACK(address)) return 1;
    return IN6_IS_ADDR_V4MAPPED(address) && address->s6_addr[12] == 127;
  }
  default: return 0;
  }
}

typedef struct {
  const char *name;
  int count;
} cmicrohttpd_search;

static inline enum MHD_Result cmicrohttpd_compare(void *context, enum MHD_ValueKind kind, const char *key,
                                                  const char *value) {
  (void)kind;
  (void)value;
  cmicrohttpd_search *search = (cmicrohttpd_search *)context;
  if (key && strcasecmp(key, search->name) == 0) search->count += 1;
  return MHD_YES;
}

// How often a header is there.
static inline int cmicrohttpd_count(struct MHD_Connection *connection, const char *name) {
  cmicrohttpd_search search = {name, 0};
  MHD_get_connection_values(connection, MHD_HEADER_KIND, cmicrohttpd_compare, &search);
  return search.count;
}

// The value of a header, or of one of several; NULL where there is none.
static inline const char *cmicrohttpd_header(struct MHD_Connection *connection, const char *name) {
  return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

// An answer with a copy of these bytes; NULL without memory.
static inline struct MHD_Response *cmicrohttpd_response(const void *bytes, size_t count) {
  return MHD_create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

static inline void cmicrohttpd_add_header(struct MHD_Response *response, const char *name, const char *value) {
  MHD_add_response_header(response, name, value);
}

// Hands it over; the answer of a handler.
static inline enum MHD_Result cmicrohttpd_answer(struct MHD_Connection *connection, unsigned int status,
                                                 struct MHD_Response *response) {
  return MHD_queue_response(connection, status, response);
}

static inline enum MHD_Result cmicrohttpd_later(void) { return MHD_YES; }
static inline enum MHD_Result cmicrohttpd_hang_up(void) { return MHD_NO; }

static inline int cmicrohttpd_has_begun(enum MHD_ConnectionNotificationCode code) {
  return code == MHD_CONNECTION_NOTIFY_STARTED;
}
