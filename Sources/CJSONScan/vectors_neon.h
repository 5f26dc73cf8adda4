// Private to this target: the vectors of NEON; see vector_blocks.h.

#include <arm_neon.h>

#define KERNEL
#define KERNEL_INLINE static inline __attribute__((always_inline))
#define VERSION(name) name##_neon
#define VERSION_NAME "neon"
#define VERSION_LEVEL JSON_KERNEL_NEON

enum { VECTOR = 16, BITS_PER_OFFSET = 4 };

// A byte of `marks` is FF or 0.
typedef uint8x16_t vector, marks;

KERNEL_INLINE vector load(const uint8_t *bytes) { return vld1q_u8(bytes); }

KERNEL_INLINE void store(uint8_t *bytes, vector v) { vst1q_u8(bytes, v); }

KERNEL_INLINE vector splat(uint8_t byte) { return vdupq_n_u8(byte); }

KERNEL_INLINE vector lookup(const uint8_t table[16], vector v) {
    return vqtbl1q_u8(vld1q_u8(table), vandq_u8(v, vdupq_n_u8(0x0F)));
}

KERNEL_INLINE vector high_halves(vector v) { return vshrq_n_u8(v, 4); }

KERNEL_INLINE vector minus(vector v, uint8_t byte) {
    return vsubq_u8(v, vdupq_n_u8(byte));
}

KERNEL_INLINE vector minus_or_0(vector v, uint8_t byte) {
    return vqsubq_u8(v, vdupq_n_u8(byte));
}

KERNEL_INLINE vector lower(vector a, vector b) { return vminq_u8(a, b); }

KERNEL_INLINE marks equal(vector a, vector b) { return vceqq_u8(a, b); }

KERNEL_INLINE marks at_most(vector v, uint8_t limit) {
    return vcleq_u8(v, vdupq_n_u8(limit));
}

KERNEL_INLINE marks nonzero(vector v) { return vtstq_u8(v, v); }

KERNEL_INLINE marks have_high(vector v) {
    return vcgeq_u8(v, vdupq_n_u8(0x80));
}

KERNEL_INLINE marks have_bit_5(vector v) {
    return vtstq_u8(v, vdupq_n_u8(0x20));
}

KERNEL_INLINE bool has_nonzero(vector v) { return vmaxvq_u8(v) != 0; }

KERNEL_INLINE bool has_mark(marks m) { return vmaxvq_u8(m) != 0; }

KERNEL_INLINE uint64_t bits_of(marks m) {
    uint8x8_t narrow = vshrn_n_u16(vreinterpretq_u16_u8(m), 4);
    return vget_lane_u64(vreinterpret_u64_u8(narrow), 0) & 0x1111111111111111;
}

KERNEL_INLINE uint64_t bits_of_block(const marks m[4]) {
    static const uint8_t bit_values[16] = {1, 2, 4, 8, 16, 32, 64, 128,
                                           1, 2, 4, 8, 16, 32, 64, 128};
    uint8x16_t bit = vld1q_u8(bit_values);
    // Three pairwise additions gather eight bits in a byte.
    uint8x16_t ab = vpaddq_u8(vandq_u8(m[0], bit), vandq_u8(m[1], bit));
    uint8x16_t cd = vpaddq_u8(vandq_u8(m[2], bit), vandq_u8(m[3], bit));
    uint8x16_t all = vpaddq_u8(ab, cd);
    all = vpaddq_u8(all, all);
    return vgetq_lane_u64(vreinterpretq_u64_u8(all), 0);
}
