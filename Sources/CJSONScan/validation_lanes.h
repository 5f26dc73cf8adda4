// Private to this target: a vector with the masks of LANES blocks. Included
// once by each version of the block machine, which defines LANES before.

#include "vector_blocks.h"

#if defined(__GNUC__) && !defined(__clang__)
// All functions with a vector parameter are inlined, so its ABI is irrelevant.
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

// One lane for each block, with a mask or another value.
typedef uint64_t lanes __attribute__((vector_size(8 * LANES)));

enum { ALL_LANES = (1 << LANES) - 1 };

// The classes of the bytes of a block outside of strings.
struct classes {
    uint64_t blanks, feeds, opens, closes, commas, colons;
};
