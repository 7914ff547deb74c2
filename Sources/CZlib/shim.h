#pragma once

#include <string.h>
#include <zlib.h>

// Swift sees no macros with arguments, such as the one that begins to inflate.

// Inflates raw deflate of which all is there, into exactly the room that there is: 1, or 0 where it is none, ends
// early, or makes more or less.
static inline int czlib_inflate(const unsigned char *from, unsigned int from_count, unsigned char *to,
                                unsigned int to_count) {
  z_stream stream;
  memset(&stream, 0, sizeof stream);
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return 0;
  stream.next_in = (Bytef *)(size_t)from;
  stream.avail_in = from_count;
  stream.next_out = to;
  stream.avail_out = to_count;
  int code = inflate(&stream, Z_FINISH);
  int is_whole = code == Z_STREAM_END && stream.avail_in == 0 && stream.avail_out == 0;
  inflateEnd(&stream);
  return is_whole;
}

static inline unsigned int czlib_crc32(const unsigned char *bytes, unsigned int count) {
  return (unsigned int)crc32(0, bytes, count);
}
