#pragma once

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <string.h>
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

// Whether the other end uses a socket in the file system: 1 or 0.
static inline int cmicrohttpd_is_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  return info && info->client_addr && info->client_addr->sa_family == AF_UNIX;
}

// The address of the other end as a text; an empty one where it has none.
static inline const char *cmicrohttpd_address(struct MHD_Connection *connection, char *text, unsigned int size) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  const struct sockaddr *address = info ? info->client_addr : NULL;
  text[0] = 0;
  if (address && address->sa_family == AF_INET) {
    inet_ntop(AF_INET, &((const struct sockaddr_in *)(const void *)address)->sin_addr, text, size);
  } else if (address && address->sa_family == AF_INET6) {
    inet_ntop(AF_INET6, &((const struct sockaddr_in6 *)(const void *)address)->sin6_addr, text, size);
  }
  return text;
}

// Calls back for every header, or for every part of the query.
static inline void cmicrohttpd_each_header(struct MHD_Connection *connection, MHD_KeyValueIterator take, void *context) {
  MHD_get_connection_values(connection, MHD_HEADER_KIND, take, context);
}
static inline void cmicrohttpd_each_query(struct MHD_Connection *connection, MHD_KeyValueIterator take, void *context) {
  MHD_get_connection_values(connection, MHD_GET_ARGUMENT_KIND, take, context);
}

// The number that a connection was given when it began.
static inline size_t cmicrohttpd_number(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info ? (size_t)info->socket_context : 0;
}

// Nothing may come or go on this connection for so long.
static inline void cmicrohttpd_let_idle(struct MHD_Connection *connection, unsigned int seconds) {
  MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, seconds);
}

// Whether the other end has closed: 1 or 0. Nothing is read.
static inline int cmicrohttpd_has_left(int socket) {
  char byte;
  ssize_t count = recv(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return count == 0 || (count < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
}

// An answer whose bytes are asked for, until there are no more; NULL without memory.
static inline struct MHD_Response *cmicrohttpd_flow(MHD_ContentReaderCallback read, void *context,
                                                    MHD_ContentReaderFreeCallback finish) {
  return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 16384, read, context, finish);
}
static inline ssize_t cmicrohttpd_end_of_flow(void) { return MHD_CONTENT_READER_END_OF_STREAM; }

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
