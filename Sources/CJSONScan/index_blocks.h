// json_scan_index over blocks of 64 bytes; a part of structure_blocks.h.

#include "index_bits.h"

static KERNEL void write_index(const uint8_t *bytes, size_t count,
                               struct json_scan_index *index) {
    uint64_t carry = 0, in_string = 0, in_scalar = 0, backslashes = 0;
    uint32_t *to = index->entries;
    uint8_t tail[64];
    index->at = index->row = index->row_count = 0;
    for (size_t i = 0; i < count; i += 64) {
        const uint8_t *from = bytes + i;
        if (__builtin_expect(count - i < 64, 0)) {
            from = padded(from, count - i, tail);
        }
        const struct tokens tokens =
            tokens_of(from, &carry, &in_string, &in_scalar);
        uint64_t starts = tokens.starts;
        backslashes |= tokens.backslashes;
        if (index->rows) {
            uint64_t feeds = equals_of(from, '\n') & ~tokens.inside;
            starts |= feeds;
            put_rows(index, (uint32_t)(to - index->entries), starts, feeds);
        }
        to = put_offsets(to, (uint32_t)i, starts);
    }
    index->count = (size_t)(to - index->entries);
    index->has_backslash = backslashes != 0;
}
