// Needles: their preparation, and the searches without vectors.

#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE // for memmem and memrchr
#endif

#include "structure_kernels.h"

// The frequency of each byte in JSON on a logarithmic scale: 10 for each
// doubling, 0 for bytes that almost never occur. Measured with logs and
// documents of many kinds.
static const uint8_t commonness[256] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 131, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    167, 40, 166, 51, 5, 95, 80, 70, 75, 75, 67, 81, 149, 132, 140, 136,
    154, 142, 143, 140, 136, 138, 136, 136, 135, 144, 151, 93, 72, 115, 72, 81,
    77, 106, 98, 105, 104, 113, 99, 101, 83, 103, 97, 80, 89, 95, 91, 96,
    102, 80, 94, 104, 119, 84, 81, 81, 74, 71, 109, 120, 129, 120, 8, 125,
    59, 152, 133, 142, 140, 159, 131, 134, 136, 146, 106, 118, 144, 140, 144,
    146, 138, 112, 148, 153, 153, 144, 129, 121, 112, 123, 95, 126, 0, 126, 0,
    0, 83, 109, 95, 82, 76, 48, 75, 54, 63, 65, 70, 71, 75, 66, 71, 59,
    42, 56, 70, 81, 73, 55, 71, 70, 59, 60, 71, 65, 76, 62, 72, 79,
    54, 55, 50, 59, 73, 58, 68, 66, 70, 82, 79, 79, 74, 76, 74, 76,
    90, 80, 71, 81, 51, 71, 72, 42, 71, 59, 62, 82, 83, 74, 77, 46,
    0, 0, 0, 108, 0, 69, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    103, 69, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 88, 112, 68, 91, 77, 80, 63, 74, 0, 0, 0, 0, 0, 50,
    1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
};

// Returns the offset of the rarest byte other than the one at `except`.
static size_t rarest(const uint8_t *bytes, size_t count, size_t except) {
    size_t best = except == 0 ? count - 1 : 0;
    for (size_t i = 0; i < count; i++) {
        if (i != except && commonness[bytes[i]] < commonness[bytes[best]]) {
            best = i;
        }
    }
    return best;
}

// Returns the sum of the frequencies of the `width` bytes at `start` of each
// needle, for the needle in which it is the highest.
static unsigned worst_print(const struct json_scan_needles *needles,
                            size_t start, size_t width) {
    unsigned worst = 0;
    for (size_t i = 0; i < needles->count; i++) {
        const uint8_t *needle = needles->bytes + needles->starts[i];
        unsigned sum = 0;
        for (size_t k = 0; k < width; k++) sum += commonness[needle[start + k]];
        if (sum > worst) worst = sum;
    }
    return worst;
}

bool json_scan_needles_prepare(struct json_scan_needles *needles,
                               const uint8_t *bytes, const size_t *lengths,
                               size_t count) {
    memset(needles, 0, sizeof *needles);
    if (count == 0 || count > JSON_SCAN_MAX_NEEDLES) return false;
    needles->bytes = bytes;
    needles->count = count;
    needles->shortest = lengths[0];
    for (size_t i = 0; i < count; i++) {
        if (lengths[i] == 0) return false;
        if (lengths[i] < needles->shortest) needles->shortest = lengths[i];
        needles->starts[i + 1] = needles->starts[i] + lengths[i];
    }
    size_t shortest = needles->shortest;
    // For a needle of one byte both offsets are the same.
    needles->rare[0] = rarest(bytes, shortest, shortest);
    needles->rare[1] =
        shortest == 1 ? 0 : rarest(bytes, shortest, needles->rare[0]);

    size_t width = shortest < 3 ? shortest : 3;
    needles->print_count = width;
    for (size_t start = 1; start + width <= shortest; start++) {
        if (worst_print(needles, start, width) <
            worst_print(needles, needles->print_start, width)) {
            needles->print_start = start;
        }
    }
    for (size_t i = 0; i < count; i++) {
        const uint8_t *print =
            bytes + needles->starts[i] + needles->print_start;
        uint8_t group = (uint8_t)(1u << (i & 7));
        for (size_t k = 0; k < width; k++) {
            needles->low[k][print[k] & 0x0F] |= group;
            needles->high[k][print[k] >> 4] |= group;
        }
    }
    return true;
}

size_t json_scan_needles_from(const uint8_t *bytes, size_t count, size_t start,
                              const struct json_scan_needles *needles,
                              size_t *which) {
    size_t work = 0;
    for (size_t i = start; i < count && count - i >= needles->shortest; i++) {
        if (json_needle_stands(bytes, count, i, 0xFF, needles, which, &work)) {
            return i;
        }
    }
    return count;
}

size_t json_scan_needles_linear(const uint8_t *bytes, size_t count,
                                size_t start,
                                const struct json_scan_needles *needles,
                                size_t *which) {
#if defined(__linux__) || defined(__APPLE__)
    size_t end = count;
    size_t best = count;
    for (size_t i = 0; i < needles->count && start < end; i++) {
        size_t length = needles->starts[i + 1] - needles->starts[i];
        const uint8_t *found =
            memmem(bytes + start, end - start,
                   needles->bytes + needles->starts[i], length);
        if (!found) continue;
        size_t place = (size_t)(found - bytes);
        // If two needles occur at one offset, the first of the list wins.
        if (place >= best) continue;
        best = place;
        *which = i;
        // Another needle is relevant only if it begins before this one.
        size_t longest = 0;
        for (size_t k = i + 1; k < needles->count; k++) {
            size_t other = needles->starts[k + 1] - needles->starts[k];
            if (other > longest) longest = other;
        }
        if (longest < count - place) end = place + longest;
    }
    return best;
#else
    return json_scan_needles_from(bytes, count, start, needles, which);
#endif
}

size_t json_scan_last_newline(const uint8_t *bytes, size_t count) {
    if (count == 0) return 0;
#if defined(__linux__)
    const uint8_t *found = memrchr(bytes, 0x0A, count);
    return found ? (size_t)(found - bytes) : count;
#else
    for (size_t i = count; i > 0; i--) {
        if (bytes[i - 1] == 0x0A) return i - 1;
    }
    return count;
#endif
}
