// AVX-512 versions of the structure kernels and of the byte kernels.

#include "structure_kernels.h"

#if JSON_SCAN_HAS_AVX2

#include "vectors_avx512.h"

KERNEL_INLINE uint8_t *put_kept(uint8_t *to, const uint8_t *from,
                                uint64_t kept) {
    store(to, _mm512_maskz_compress_epi8(kept, load(from)));
    return to + __builtin_popcountll(kept);
}

#include "structure_blocks.h"

#endif
