// The index of a text: where its tokens begin.

#ifndef JSON_SCAN_INDEX_H
#define JSON_SCAN_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Where the tokens of a text begin.
///
/// An *entry* is the offset of the first byte of a string, of another scalar,
/// or of a bracket, and in lines of a line feed. Commas, colons and other white
/// space have none. Entries are in the order of the text, so a value ends
/// before the entry after it.
struct json_scan_index {
    /// The entries, with room for one for each byte and JSON_SCAN_INDEX_EXTRA
    /// more.
    uint32_t *entries;
    /// In lines: the number of the entry of each line feed, with the same room.
    /// Null in other texts, where line feeds have no entries.
    uint32_t *rows;
    size_t count, row_count;
    /// The numbers of the next entry and row of a walk.
    size_t at, row;
    /// Whether a walk has stopped because the element or the line goes on
    /// behind the index.
    bool is_cut;
    /// Whether the text contains a backslash.
    bool has_backslash;
};

/// Moves a walk forward to the first entry from an offset in the text on.
static inline void json_scan_index_seek(struct json_scan_index *index,
                                        size_t offset) {
    while (index->at < index->count && index->entries[index->at] < offset) {
        index->at++;
    }
}

enum {
    /// The number of entries that are written beyond the last one.
    JSON_SCAN_INDEX_EXTRA = 64,
};

/// Writes the index of a text, which must begin outside of strings and other
/// scalars. In text that is not JSON, entries are ascending offsets in the text.
///
/// Cost: one pass.
/// Never reads outside [bytes, bytes + count); `count` is below 4 GiB.
void json_scan_index(const uint8_t *bytes, size_t count,
                     struct json_scan_index *index);

#endif
