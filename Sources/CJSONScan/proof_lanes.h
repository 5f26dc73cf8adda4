// Private to this target: the masks of LANES blocks side by side. Included once
// by each version of the block machine, which defines LANES before.

#if defined(__GNUC__) && !defined(__clang__)
// All functions with a vector are inlined, so how it is passed does not matter.
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

// A mask for each of some blocks, or anything else of them.
typedef uint64_t lanes __attribute__((vector_size(8 * LANES)));

enum { ALL_LANES = (1 << LANES) - 1 };

