#include "CPage.h"

#include <stddef.h>

// Of C23, which this compiler knows whatever it is told to follow.
#pragma clang diagnostic ignored "-Wc23-extensions"

#define HTML "text/html; charset=utf-8"
#define CSS "text/css; charset=utf-8"
#define SCRIPT "text/javascript; charset=utf-8"

// All there are: whatever lies in Sources/Web/Page has its lines here.
static const cpage_file files[] = {
    {"/", HTML, (const unsigned char[]){
#embed "../Web/Page/index.html" suffix(, 0) if_empty(0)
    }},
};

const cpage_file *cpage_at(unsigned int number) {
  return number < sizeof files / sizeof *files ? &files[number] : NULL;
}
