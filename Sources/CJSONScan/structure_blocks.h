// The kernels over blocks of 64 bytes. A file that includes this includes the
// vectors of an instruction set first, and defines a function that copies the
// kept bytes of a block:
//
//     uint8_t *put_kept(uint8_t *to, const uint8_t *from, uint64_t kept)
//
// It may write up to 64 bytes. Returns the address after the kept bytes.

#include "vector_blocks.h"

struct brackets {
    uint64_t quotes, backslashes;
    // Opening and closing brackets, including those in strings.
    uint64_t opens, closes;
    // Set for the brackets of objects; unspecified for other bytes.
    uint64_t objects;
};

struct separators {
    uint64_t commas, colons, blanks;
};

KERNEL_INLINE struct brackets brackets_of(const uint8_t *bytes) {
    const struct vectors block = vectors_of(bytes);
    return (struct brackets){
        .quotes = equals(&block, '"'),
        .backslashes = equals(&block, '\\'),
        .opens = brackets(&block, '{'),
        .closes = brackets(&block, '}'),
        .objects = objects(&block),
    };
}

KERNEL_INLINE struct separators separators_of(const uint8_t *bytes) {
    const struct vectors block = vectors_of(bytes);
    return (struct separators){
        .commas = equals(&block, ','),
        .colons = equals(&block, ':'),
        .blanks = blanks(&block),
    };
}

KERNEL_INLINE uint64_t equals_of(const uint8_t *bytes, uint8_t byte) {
    const struct vectors block = vectors_of(bytes);
    return equals(&block, byte);
}

KERNEL_INLINE int64_t ones(uint64_t bits) {
    return (int64_t)__builtin_popcountll(bits);
}

// Returns the bytes of strings, including the opening quote but not the closing
// one. `*in_string` is all ones if the block begins inside a string, else 0; it
// becomes the same for the next block.
KERNEL_INLINE uint64_t string_bytes(const struct brackets *block,
                                    uint64_t *carry, uint64_t *in_string,
                                    uint64_t *quotes) {
    uint64_t escaped = *carry;
    // Most blocks have no backslash.
    if (block->backslashes == 0) {
        *carry = 0;
    } else {
        escaped = escaped_bytes(block->backslashes, carry);
    }
    *quotes = block->quotes & ~escaped;
    uint64_t inside = prefix_xor(*quotes) ^ *in_string;
    *in_string = (uint64_t)((int64_t)inside >> 63);
    return inside;
}

// Copies fewer than 64 bytes, and fills the block with spaces.
KERNEL_INLINE const uint8_t *padded(const uint8_t *bytes, size_t count,
                                    uint8_t block[64]) {
    memset(block, ' ', 64);
    memcpy(block, bytes, count);
    return block;
}

// The tokens of a block of validated text.
struct tokens {
    // Quotes that no backslash escapes, and the bytes of strings
    // (string_bytes).
    uint64_t quotes, inside;
    uint64_t backslashes;
    // Outside of strings: brackets, and the bytes of other scalars.
    uint64_t brackets, scalars;
    // The bytes after bytes of other scalars.
    uint64_t after_scalars;
    // The first bytes of strings, other scalars and brackets.
    uint64_t starts;
};

// The carries are those of string_bytes; `*in_scalar` is 1 if the byte before
// the block belongs to a scalar that is no string.
KERNEL_INLINE struct tokens tokens_of(const uint8_t *bytes, uint64_t *carry,
                                      uint64_t *in_string,
                                      uint64_t *in_scalar) {
    struct brackets block = brackets_of(bytes);
    struct separators separators = separators_of(bytes);
    struct tokens tokens;
    tokens.inside = string_bytes(&block, carry, in_string, &tokens.quotes);
    tokens.backslashes = block.backslashes;
    tokens.brackets = (block.opens | block.closes) & ~tokens.inside;
    tokens.scalars = ~(tokens.inside | tokens.quotes | tokens.brackets |
                       separators.commas | separators.colons |
                       separators.blanks);
    tokens.after_scalars = tokens.scalars << 1 | *in_scalar;
    *in_scalar = tokens.scalars >> 63;
    tokens.starts = (tokens.quotes & tokens.inside) | tokens.brackets |
                    (tokens.scalars & ~tokens.after_scalars);
    return tokens;
}

// Returns the bit of the closing bracket that ends the outermost of `depth`
// containers, or 0 if the block does not contain it.
KERNEL_INLINE uint64_t first_end(uint64_t opens, uint64_t closes,
                                 int64_t depth) {
    if (__builtin_expect(ones(closes) < depth, 1)) return 0;
    int64_t before = depth - 1;
    for (uint64_t rest = closes; rest; rest &= rest - 1, before--) {
        uint64_t bit = rest & -rest;
        if (before + ones(opens & (bit - 1)) == 0) return bit;
    }
    return 0;
}

static KERNEL size_t container_end(const uint8_t *bytes, size_t count,
                                   struct json_scan_container *state) {
    int64_t depth = state->depth;
    int64_t objects = state->objects;
    uint64_t carry = state->escaped;
    uint64_t in_string = state->in_string ? ~(uint64_t)0 : 0;
    size_t i = 0;
    uint8_t tail[64];
    for (;; i += 64) {
        const uint8_t *from = bytes + i;
        if (__builtin_expect(count - i < 64, 0)) {
            // Pads the last block with spaces. They change nothing, unless the
            // last byte is a backslash, which would escape the first of them.
            // A few bytes are not worth it.
            if (count - i < 8 || bytes[count - 1] == '\\') break;
            from = padded(from, count - i, tail);
        }
        struct brackets block = brackets_of(from);
        uint64_t quotes;
        uint64_t inside = string_bytes(&block, &carry, &in_string, &quotes);
        uint64_t opens = block.opens & ~inside;
        uint64_t closes = block.closes & ~inside;
        uint64_t end = first_end(opens, closes, depth);
        if (__builtin_expect(end != 0, 0)) {
            uint64_t upto = end | (end - 1);
            state->depth = 0;
            state->objects = objects + ones(opens & block.objects & upto) -
                             ones(closes & block.objects & upto);
            state->in_string = false;
            state->escaped = false;
            return i + (size_t)__builtin_ctzll(end);
        }
        depth += ones(opens) - ones(closes);
        objects +=
            ones(opens & block.objects) - ones(closes & block.objects);
        if (from == tail) {
            i = count;
            break;
        }
    }
    state->depth = depth;
    state->objects = objects;
    state->escaped = carry;
    state->in_string = in_string;
    return i + json_scan_container_end_portable(bytes + i, count - i, state);
}

// The state of one call of `children`, block by block.
struct child_scan {
    struct json_scan_children *state;
    struct json_scan_child *children;
    size_t capacity, found;
    // The masks of the block, without bytes in strings.
    uint64_t quotes, opens, closes, objects, commas, colons, blanks;
    // The offset of its first byte.
    uint64_t start;
};

KERNEL_INLINE void put_child(struct child_scan *scan, uint64_t end) {
    struct json_scan_children *state = scan->state;
    state->child.value_end = end;
    scan->children[scan->found++] = state->child;
    state->is_first = false;
    state->phase =
        state->is_object ? JSON_SCAN_PHASE_KEY : JSON_SCAN_PHASE_BEFORE_VALUE;
}

// Scans one block. Returns true if the scan stops inside it or at its end;
// `*used` is then the number of its bytes used.
KERNEL_INLINE bool scan_child_block(struct child_scan *scan,
                                    enum json_scan_outcome *outcome,
                                    size_t *used) {
    struct json_scan_children *state = scan->state;
    // The bytes that are not scanned yet.
    uint64_t rest = ~(uint64_t)0;
    const uint64_t brackets = scan->opens | scan->closes;
    const uint64_t separators = scan->commas | scan->colons;
    int64_t depth = state->container.depth;
    int64_t objects = state->container.objects;
    unsigned phase = state->phase;
    bool has_ended = false, is_more = true;
    // With notes, blocks are skipped, so the number of open objects is unknown.
    const bool checks = state->levels.notes == NULL;
    uint64_t bit = 0;
    *outcome = JSON_SCAN_MALFORMED;
    for (;;) {
        uint64_t events = rest & (phase == JSON_SCAN_PHASE_VALUE
                                      ? brackets | (depth == 1 ? separators : 0)
                                  : phase == JSON_SCAN_PHASE_IN_KEY
                                      ? scan->quotes
                                      : ~scan->blanks);
        if (events == 0) break;
        bit = events & -events;
        rest = -bit << 1;
        is_more = false;
        if (phase == JSON_SCAN_PHASE_VALUE) {
            if (brackets & bit) {
                // The most frequent case: a bracket inside the child.
                int64_t change = scan->opens & bit ? 1 : -1;
                depth += change;
                objects += scan->objects & bit ? change : 0;
                if (depth > 1 || change > 0) {
                    is_more = true;
                    continue;
                }
                if (depth == 1) {
                    // The bracket ends the child.
                    if (objects != state->is_object && checks) break;
                    is_more = true;
                    continue;
                }
                if (objects != 0 && checks) break;
                has_ended = true;
            } else if (scan->colons & bit) {
                break;
            }
            put_child(scan, scan->start + (size_t)__builtin_ctzll(bit));
            phase = state->phase;
            if (has_ended || scan->found == scan->capacity) {
                *outcome = has_ended ? JSON_SCAN_ENDED : JSON_SCAN_FULL;
                break;
            }
        } else if (phase == JSON_SCAN_PHASE_BEFORE_VALUE &&
                   !((scan->closes | separators) & bit)) {
            state->child.value_start =
                scan->start + (size_t)__builtin_ctzll(bit);
            phase = JSON_SCAN_PHASE_VALUE;
            if (scan->opens & bit) {
                depth++;
                objects += scan->objects & bit ? 1 : 0;
            }
        } else if (phase == JSON_SCAN_PHASE_IN_KEY) {
            state->child.key_end = scan->start + (size_t)__builtin_ctzll(bit);
            phase = JSON_SCAN_PHASE_COLON;
        } else if (phase == JSON_SCAN_PHASE_COLON) {
            if (!(scan->colons & bit)) break;
            phase = JSON_SCAN_PHASE_BEFORE_VALUE;
        } else if (phase == JSON_SCAN_PHASE_KEY && (scan->quotes & bit)) {
            state->child.key_start =
                scan->start + (size_t)__builtin_ctzll(bit) + 1;
            phase = JSON_SCAN_PHASE_IN_KEY;
        } else {
            // Only the end of the container is valid here, and only if it is
            // empty.
            if (!(scan->closes & bit) || !state->is_first ||
                (phase == JSON_SCAN_PHASE_KEY) != state->is_object) {
                break;
            }
            depth--;
            objects -= scan->objects & bit ? 1 : 0;
            if (objects != 0 && checks) break;
            has_ended = true;
            *outcome = JSON_SCAN_ENDED;
            break;
        }
        is_more = true;
    }
    state->container.depth = depth;
    state->container.objects = objects;
    state->phase = (uint8_t)phase;
    if (is_more) return false;
    *used = (size_t)__builtin_ctzll(bit) + (*outcome != JSON_SCAN_MALFORMED);
    return true;
}

// Returns whether each of 8 notes, loaded from memory, is above `level`: at
// least `level` containers are open in each of the blocks.
KERNEL_INLINE bool all_above(uint64_t notes, uint64_t level) {
    const uint64_t each = 0x0101010101010101;
    return (((notes & 127 * each) + (127 - level) * each) & 128 * each) ==
           128 * each;
}

// Uses the notes to skip blocks deep inside a child. Returns the offset of the
// last block, not after `last`, before which the child cannot end; `offset` if
// the notes do not help, and then another call is useless before `*retry_at`.
// Offsets count like those of the scan.
KERNEL_INLINE uint64_t skip_by_notes(const struct json_scan_children *state,
                                     uint64_t offset, uint64_t last,
                                     uint64_t *retry_at) {
    const uint64_t level = state->depth + 1;
    const int64_t noted = (int64_t)offset + state->levels_offset;
    *retry_at = offset + 64;
    if (noted < 0 || level >= JSON_LEVELS_MAX) return offset;
    const uint8_t *notes = state->levels.notes;
    const size_t count = state->levels.count;
    const size_t first = (size_t)noted / 64;
    size_t k = first;
    while (k + 8 <= count) {
        uint64_t some;
        memcpy(&some, notes + k, 8);
        if (!all_above(some, level)) break;
        k += 8;
    }
    while (k < count && (notes[k] & 127) > level) k++;
    if (k <= first) return offset;
    // A block without a note does not provide the state either.
    const bool is_known = k < count && notes[k] != 0;
    *retry_at = (uint64_t)((int64_t)(64 * k) - state->levels_offset);
    const uint64_t to = is_known ? *retry_at : *retry_at - 64;
    k -= !is_known;
    const bool is_useful = k > first && to <= last &&
                           (notes[k] & 127) != JSON_LEVELS_MAX;
    return is_useful ? to : offset;
}

// Returns the number of containers that are open before a block, if their
// minimum in the block is `minimum`.
KERNEL_INLINE int64_t level_before(uint64_t opens, uint64_t closes,
                                   int64_t minimum) {
    int64_t level = 0, lowest = 0;
    for (uint64_t rest = opens | closes; rest; rest &= rest - 1) {
        level += opens & rest & -rest ? 1 : -1;
        lowest = level < lowest ? level : lowest;
    }
    return minimum - lowest;
}

// Returns whether `bytes[i]`, inside of a string, is escaped; `escaped` is the
// same for the first byte.
KERNEL_INLINE uint64_t is_escaped_at(const uint8_t *bytes, size_t i,
                                     uint64_t escaped) {
    size_t start = i;
    while (start > 0 && bytes[start - 1] == '\\') start--;
    return ((i - start) ^ (start == 0 ? escaped : 0)) & 1;
}

static KERNEL enum json_scan_outcome
children(const uint8_t *bytes, size_t count, struct json_scan_children *state,
         struct json_scan_child *children, size_t capacity, size_t *found) {
    struct child_scan scan = {
        .state = state, .children = children, .capacity = capacity};
    uint64_t carry = state->container.escaped;
    uint64_t in_string = state->container.in_string ? ~(uint64_t)0 : 0;
    const uint64_t escaped = carry;
    size_t i = 0;
    uint64_t retry_at = 0;
    *found = 0;
    for (; count - i >= 64; i += 64) {
        int64_t minimum = -1;
        if (state->levels.notes != NULL && state->offset + i >= retry_at &&
            state->phase == JSON_SCAN_PHASE_VALUE &&
            state->container.depth > 1) {
            const uint64_t offset = state->offset + i;
            const uint64_t to = skip_by_notes(
                state, offset, state->offset + (count - 64), &retry_at);
            if (to != offset) {
                i = (size_t)(to - state->offset);
                uint8_t note =
                    state->levels
                        .notes[((int64_t)to + state->levels_offset) / 64];
                minimum = (note & 127) - 1;
                in_string = note & JSON_LEVELS_IN_STRING ? ~(uint64_t)0 : 0;
                carry = in_string ? is_escaped_at(bytes, i, escaped) : 0;
            }
        }
        struct brackets block = brackets_of(bytes + i);
        uint64_t quotes;
        uint64_t inside = string_bytes(&block, &carry, &in_string, &quotes);
        uint64_t opens = block.opens & ~inside;
        uint64_t closes = block.closes & ~inside;
        if (minimum >= 0) {
            state->container.depth = level_before(opens, closes, minimum) + 1 -
                                     (int64_t)state->depth;
        }
        // Deep inside a child only its end is relevant.
        if (state->phase == JSON_SCAN_PHASE_VALUE &&
            state->container.depth > 1 &&
            !first_end(opens, closes, state->container.depth - 1)) {
            state->container.depth += ones(opens) - ones(closes);
            state->container.objects +=
                ones(opens & block.objects) - ones(closes & block.objects);
            continue;
        }
        struct separators separators = separators_of(bytes + i);
        scan.quotes = quotes;
        scan.opens = opens;
        scan.closes = closes;
        scan.objects = block.objects;
        scan.commas = separators.commas & ~inside;
        scan.colons = separators.colons & ~inside;
        scan.blanks = separators.blanks;
        scan.start = state->offset + i;
        enum json_scan_outcome outcome;
        size_t used;
        if (scan_child_block(&scan, &outcome, &used)) {
            state->container.in_string = false;
            state->container.escaped = false;
            state->offset += i + used;
            *found = scan.found;
            return outcome;
        }
    }
    state->container.escaped = carry;
    state->container.in_string = in_string;
    state->offset += i;
    size_t more;
    enum json_scan_outcome outcome =
        json_scan_children_portable(bytes + i, count - i, state,
                                    children + scan.found,
                                    capacity - scan.found, &more);
    *found = scan.found + more;
    return outcome;
}

#include "index_blocks.h"
#include "tape_words_blocks.h"
#include "compact_blocks.h"
#include "layout_blocks.h"
#include "literal_blocks.h"
#include "byte_blocks.h"

const struct json_scan_structure_version VERSION(json_scan_structure) = {
    .name = VERSION_NAME,
    .level = VERSION_LEVEL,
    .text = text,
    .string_end = string_end,
    .whitespace = whitespace,
    .count_newlines = count_newlines,
    .container_end = container_end,
    .children = children,
    .index = write_index,
    .tape_words = tape_words,
    .compact = compact,
    .unescape = unescape,
    .layout = layout,
    .literals_find = literals_find,
};
