#include "CBuild.h"

/* In C, so that another commit compiles this file anew and nothing else. */
const char *build_commit(void) { return BUILD_COMMIT; }
