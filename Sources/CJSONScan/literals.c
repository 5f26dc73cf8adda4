// Literals: their preparation, and the searches without vectors.

#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE // for memmem
#endif

#include "structure_kernels.h"

// The frequency of each byte in JSON on a logarithmic scale: 10 for each
// doubling, 0 for bytes that almost never occur. Measured with logs and
// documents of many kinds.
static const uint8_t byte_frequency[256] = {
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
        if (i != except &&
            byte_frequency[bytes[i]] < byte_frequency[bytes[best]]) {
            best = i;
        }
    }
    return best;
}

// Returns the sum of the frequencies of the `width` bytes at `start` of each
// literal, for the literal in which it is the highest.
static unsigned
max_fingerprint_frequency(const struct json_scan_literals *literals,
                          size_t start, size_t width) {
    unsigned max = 0;
    for (size_t i = 0; i < literals->count; i++) {
        const uint8_t *literal = literals->bytes + literals->starts[i];
        unsigned sum = 0;
        for (size_t k = 0; k < width; k++) {
            sum += byte_frequency[literal[start + k]];
        }
        if (sum > max) max = sum;
    }
    return max;
}

bool json_scan_literals_prepare(struct json_scan_literals *literals,
                                const uint8_t *bytes, const size_t *lengths,
                                size_t count) {
    memset(literals, 0, sizeof *literals);
    if (count == 0 || count > JSON_SCAN_MAX_LITERALS) return false;
    literals->bytes = bytes;
    literals->count = count;
    literals->min_length = lengths[0];
    for (size_t i = 0; i < count; i++) {
        if (lengths[i] == 0) return false;
        if (lengths[i] < literals->min_length) {
            literals->min_length = lengths[i];
        }
        literals->starts[i + 1] = literals->starts[i] + lengths[i];
    }
    size_t min_length = literals->min_length;
    // For a literal of one byte both offsets are the same.
    literals->rare_offsets[0] = rarest(bytes, min_length, min_length);
    literals->rare_offsets[1] =
        min_length == 1
            ? 0
            : rarest(bytes, min_length, literals->rare_offsets[0]);

    size_t width = min_length < 3 ? min_length : 3;
    literals->fingerprint_count = width;
    for (size_t start = 1; start + width <= min_length; start++) {
        if (max_fingerprint_frequency(literals, start, width) <
            max_fingerprint_frequency(literals, literals->fingerprint_start,
                                      width)) {
            literals->fingerprint_start = start;
        }
    }
    for (size_t i = 0; i < count; i++) {
        const uint8_t *fingerprint =
            bytes + literals->starts[i] + literals->fingerprint_start;
        uint8_t group = (uint8_t)(1u << (i & 7));
        for (size_t k = 0; k < width; k++) {
            literals->groups_by_low[k][fingerprint[k] & 0x0F] |= group;
            literals->groups_by_high[k][fingerprint[k] >> 4] |= group;
        }
    }
    return true;
}

size_t json_scan_literals_from(const uint8_t *bytes, size_t count, size_t start,
                               const struct json_scan_literals *literals,
                               size_t *which) {
    size_t work = 0;
    for (size_t i = start; i < count && count - i >= literals->min_length;
         i++) {
        if (json_literal_matches(bytes, count, i, 0xFF, literals, which,
                                 &work)) {
            return i;
        }
    }
    return count;
}

size_t json_scan_literals_linear(const uint8_t *bytes, size_t count,
                                 size_t start,
                                 const struct json_scan_literals *literals,
                                 size_t *which) {
#if defined(__linux__) || defined(__APPLE__)
    size_t end = count;
    size_t best = count;
    for (size_t i = 0; i < literals->count && start < end; i++) {
        size_t length = literals->starts[i + 1] - literals->starts[i];
        const uint8_t *found =
            memmem(bytes + start, end - start,
                   literals->bytes + literals->starts[i], length);
        if (!found) continue;
        size_t offset = (size_t)(found - bytes);
        // If two literals occur at one offset, the first of the list wins.
        if (offset >= best) continue;
        best = offset;
        *which = i;
        // Another literal is relevant only if it begins before this one.
        size_t max_length = 0;
        for (size_t k = i + 1; k < literals->count; k++) {
            size_t other = literals->starts[k + 1] - literals->starts[k];
            if (other > max_length) max_length = other;
        }
        if (max_length < count - offset) end = offset + max_length;
    }
    return best;
#else
    return json_scan_literals_from(bytes, count, start, literals, which);
#endif
}
