// The entry of libFuzzer, as its FuzzerInterface.h of LLVM declares it.

#ifndef FUZZER_H
#define FUZZER_H

#include <stddef.h>
#include <stdint.h>

/// Calls `test` with one input after another, as the arguments say.
int LLVMFuzzerRunDriver(int *count, char ***words,
                        int (*test)(const uint8_t *bytes, size_t count));

#endif
