#include <stddef.h>
#include <stdint.h>

/* Of LLVM's libFuzzer, which is linked with -sanitize=fuzzer only. */
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));
