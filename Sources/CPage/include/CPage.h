#pragma once

// The files of the page, as they lie in Sources/Web/Page: part of the program, so that nothing has to lie beside it.

typedef struct {
  // Where it is served.
  const char *path;
  // For the header Content-Type.
  const char *type;
  // UTF-8 without a zero, and a zero behind it.
  const unsigned char *text;
} cpage_file;

// The file of this number, from 0; NULL behind the last one.
const cpage_file *cpage_at(unsigned int number);
