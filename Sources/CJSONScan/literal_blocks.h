// The search for several literals, included by each version of the structure
// kernels. The version defines, for its vectors of VECTOR bytes:
//
//   vector                           the type
//   groups_at(bytes, literals)       for each of VECTOR offsets, the groups of
//                                    literals that may begin there
//   nonzero_bits(vector)             BITS_PER_OFFSET bits for each byte, the
//                                    lowest set if the byte is not 0
//   store(bytes, vector)             writes the bytes of a vector

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
        uint64_t bits = nonzero_bits(found);
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
        uint64_t bits = nonzero_bits(found);
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
