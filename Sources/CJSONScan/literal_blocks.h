// The search for literals, vector by vector; a part of structure_blocks.h.

// The state of a search.
struct search {
    const uint8_t *bytes;
    size_t count;
    const struct json_scan_literals *literals;
    size_t *which;
    size_t work;
};

// Compares the literals at the candidate offsets of a mask, whose first offset
// is `start`; `groups` are the groups of literals for each of them, or null for
// the first group. Returns whether a literal occurs, and sets `*offset` to its
// offset.
KERNEL_INLINE bool matches_at_any(struct search *search, size_t start,
                                  uint64_t bits, const uint8_t *groups,
                                  size_t *offset) {
    for (; bits; bits &= bits - 1) {
        unsigned index = (unsigned)__builtin_ctzll(bits) / BITS_PER_OFFSET;
        if (json_literal_matches(search->bytes, search->count, start + index,
                                 groups ? groups[index] : 1, search->literals,
                                 search->which, &search->work)) {
            *offset = start + index;
            return true;
        }
    }
    return false;
}

static KERNEL size_t find_one(const uint8_t *bytes, size_t count,
                              const struct json_scan_literals *literals,
                              size_t *which) {
    enum { UNROLLED = VECTOR < 64 ? 4 : 2 };
    size_t length = literals->min_length;
    if (count < length) return count;
    // The literal fits into the bytes at each of the first `offsets` offsets,
    // so its rare bytes can be read.
    size_t offsets = count - length + 1;
    const uint8_t *first = bytes + literals->rare_offsets[0];
    const uint8_t *second = bytes + literals->rare_offsets[1];
    vector first_byte = splat(literals->bytes[literals->rare_offsets[0]]);
    vector second_byte = splat(literals->bytes[literals->rare_offsets[1]]);
    struct search search = {bytes, count, literals, which, 0};
    size_t offset;
    size_t i = 0;
#define CANDIDATES(at)                                                        \
    (equal(load(first + (at)), first_byte) &                                  \
     equal(load(second + (at)), second_byte))
    for (; offsets - i >= UNROLLED * VECTOR; i += UNROLLED * VECTOR) {
        marks some[UNROLLED], any = CANDIDATES(i);
        some[0] = any;
        for (size_t k = 1; k < UNROLLED; k++) {
            some[k] = CANDIDATES(i + k * VECTOR);
            any |= some[k];
        }
        if (__builtin_expect(!has_mark(any), 1)) continue;
        for (size_t k = 0; k < UNROLLED; k++) {
            if (matches_at_any(&search, i + k * VECTOR, bits_of(some[k]), NULL,
                               &offset)) {
                return offset;
            }
        }
        if (search.work > json_literal_work_limit(i)) {
            return json_scan_literals_linear(
                bytes, count, i + UNROLLED * VECTOR, literals, which);
        }
    }
    for (; offsets - i >= VECTOR; i += VECTOR) {
        uint64_t bits = bits_of(CANDIDATES(i));
        if (matches_at_any(&search, i, bits, NULL, &offset)) return offset;
    }
    if (i < offsets && offsets >= VECTOR) {
        // The last offsets; some of them are compared again.
        size_t last = offsets - VECTOR;
        uint64_t bits = bits_of(CANDIDATES(last));
        return matches_at_any(&search, last, bits, NULL, &offset) ? offset
                                                                  : count;
    }
#undef CANDIDATES
    return json_scan_literals_from(bytes, count, i, literals, which);
}

// Returns for each of VECTOR offsets the groups of literals that may begin
// there.
KERNEL_INLINE vector groups_at(const uint8_t *bytes,
                               const struct json_scan_literals *literals) {
    vector groups = splat(0xFF);
    for (size_t k = 0; k < literals->fingerprint_count; k++) {
        vector v = load(bytes + literals->fingerprint_start + k);
        groups &= by_low(literals->groups_by_low[k], v) &
                  by_high(literals->groups_by_high[k], v);
    }
    return groups;
}

static KERNEL size_t find_several(const uint8_t *bytes, size_t count,
                                  const struct json_scan_literals *literals,
                                  size_t *which) {
    if (count < literals->min_length) return count;
    // The bytes that are compared first lie within the length of the shortest
    // literal.
    size_t offsets = count - literals->min_length + 1;
    struct search search = {bytes, count, literals, which, 0};
    uint8_t groups[VECTOR];
    size_t offset;
    size_t i = 0;
    while (offsets - i >= VECTOR) {
        vector found = groups_at(bytes + i, literals);
        uint64_t bits = bits_of(nonzero(found));
        if (__builtin_expect(bits != 0, 0)) {
            store(groups, found);
            if (matches_at_any(&search, i, bits, groups, &offset)) {
                return offset;
            }
            if (search.work > json_literal_work_limit(i)) {
                return json_scan_literals_linear(bytes, count, i + VECTOR,
                                                 literals, which);
            }
        }
        i += VECTOR;
    }
    if (i < offsets && offsets >= VECTOR) {
        // The last offsets; some of them are compared again.
        size_t last = offsets - VECTOR;
        vector found = groups_at(bytes + last, literals);
        uint64_t bits = bits_of(nonzero(found));
        store(groups, found);
        return matches_at_any(&search, last, bits, groups, &offset) ? offset
                                                                    : count;
    }
    return json_scan_literals_from(bytes, count, i, literals, which);
}

static size_t literals_find(const uint8_t *bytes, size_t count,
                            const struct json_scan_literals *literals,
                            size_t *which) {
    return literals->count == 1 ? find_one(bytes, count, literals, which)
                                : find_several(bytes, count, literals, which);
}
