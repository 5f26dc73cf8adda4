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
            memset(tail, ' ', sizeof tail);
            memcpy(tail, from, count - i);
            from = tail;
        }
        struct brackets block = brackets_of(from);
        struct separators separators = separators_of(from);
        uint64_t quotes;
        uint64_t inside = string_bytes(&block, &carry, &in_string, &quotes);
        uint64_t brackets = (block.opens | block.closes) & ~inside;
        uint64_t scalars =
            ~(inside | quotes | brackets | separators.commas |
              separators.colons | separators.blanks);
        uint64_t starts = (quotes & inside) | brackets |
                          (scalars & ~(scalars << 1 | in_scalar));
        in_scalar = scalars >> 63;
        backslashes |= block.backslashes;
        if (index->rows) {
            uint64_t feeds = equals_of(from, '\n') & ~inside;
            starts |= feeds;
            put_rows(index, (uint32_t)(to - index->entries), starts, feeds);
        }
        to = put_offsets(to, (uint32_t)i, starts);
    }
    index->count = (size_t)(to - index->entries);
    index->has_backslash = backslashes != 0;
}
