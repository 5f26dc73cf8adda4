// The block machine of the validation, over groups of blocks of 64 bytes. A
// file that includes this includes the vectors of an instruction set first
// (vector_blocks.h), and defines:
//
//     struct classes classes_of(block, candidates, is_lines)
//                                 among `candidates` only; or a common version,
//                                 without HAS_CLASSES_OF
//     IS_EAGER                    whether masks that few blocks need are
//                                 computed for all blocks, which saves a branch
//
// and the operations on masks of several blocks (`lanes` is a vector with one
// mask for each block, and supports the arithmetic operators):
//
//     LANES                       the number of blocks
//     lanes_top(a)                bit k: the top bit of lane k
//     lanes_set(a)                bit k: whether lane k is not 0
//     lanes_of(bits)              lane k is 1 if bit k is set, else 0
//     lanes_before(first, a)      lane k is lane k - 1 of a; lane 0 is `first`
//
// Faults are or-ed into masks, which are tested once for all blocks. Each
// check and each carry has a comment and the number of its mutant
// (validation_kernels.h).
//
// A group of blocks is validated in steps, each over all of its blocks:
//
//     validation_strings.h   masks; strings, escapes, UTF-8: no branch in common text
//     validation_brackets.h  the stack of open containers, bracket by bracket
//     this file         the order of tokens: all blocks in parallel
//     validation_scalars.h   numbers and literals: only blocks that contain them
//
// Why no fault is lost: all operations on masks propagate upwards only (shifts
// to the left, additions, prefix sums), so no byte changes the result for the
// bytes before it, except for the four bytes after a block that a literal is
// compared with. Everything that a mask needs from the bytes before the block
// is a carry, and `struct carries` contains all of them.
//
// ---- Why the masks check the grammar
//
// Outside of strings each byte is white space, a bracket, a comma, a colon, or
// part of a scalar (every other byte; scalars are checked letter by letter
// below). A byte is an *end* if a value may end with it: a closing bracket, a
// closing quote, any byte of a scalar. The last byte before a position that is
// not white space then belongs to one of four classes, which two masks
// distinguish:
//
//     may_close   it is an end or an opening bracket
//     is_item     it is a comma or an opening bracket
//
//     end: 1 0     opening bracket: 1 1     comma: 0 1     colon or start: 0 0
//
// Both masks are computed in the same way: a shift by one, then an addition
// that carries through runs of white space. With them, each rule for the order
// of tokens is one mask:
//
//     a value (quote, bracket, first byte of a scalar) follows no end
//     a comma follows an end
//     a closing bracket follows an end or an opening bracket
//     a colon follows a string that itself follows `{` or a comma
//
// For the last rule, an addition carries a bit from such an opening quote
// through the bytes of the string and white space to the byte after them. If
// that byte is a colon, the string is a key, and the container must be an
// object. If it is not, and for every other value that follows a comma or an
// opening bracket, the container must be an array. So every comma and every
// first child is checked against the kind of its container. A value after a
// colon needs no such check, because the colon was checked. A loop over the
// brackets of the block determines the kinds. It also checks that the brackets
// match, and finds the bytes outside of all containers: no comma is allowed
// there, and in lines a line feed is allowed only there.
//
// No rule is needed for the token after a colon, nor for a colon without a
// value: a comma or closing bracket after it follows no end, and a line feed
// after it is not outside of all containers.

#include "index_bits.h"
#include "validation_group.h"
#include "validation_strings.h"
#include "validation_brackets.h"
#include "validation_scalars.h"

// ---- Lengths

// Returns the length, in whole blocks at the end of the group, of the token
// that is open there. The blocks of `whole` are entirely inside the token;
// `length` is its length before the group.
KERNEL_INLINE uint64_t length_after(uint64_t whole, uint64_t length,
                                    size_t blocks) {
    uint64_t others = ~whole & (((uint64_t)1 << blocks) - 1);
    if (others == 0) return length + 64 * blocks;
    return 64 * (blocks - 1 - (uint64_t)(63 - __builtin_clzll(others)));
}

// Returns whether the token that was open before the blocks may exceed `limit`.
// A token that begins in them is shorter than any limit.
KERNEL_INLINE bool may_be_long(uint64_t whole, uint64_t length, uint64_t limit) {
    // It begins in a block that `length` does not include, and ends in the
    // first block that is not entirely inside it.
    return length + 64 * ((uint64_t)__builtin_ctzll(~whole) + 2) > limit;
}

// ---- A group

// Validates up to LANES blocks, which follow the blocks that `c` results from.
// Returns a bit for each block with a fault: 0 if all blocks are validated. The
// bits above the first fault are unspecified.
//
// Reads up to 4 bytes after the last block.
KERNEL_INLINE uint64_t validate_group(struct carries *c, struct group *g,
                                   const uint8_t *bytes, size_t blocks,
                                   bool is_lines) {
    uint64_t faulty = 0;
    for (size_t k = 0; k < blocks; k++) {
        uint64_t fault = make_masks(c, bytes + 64 * k, is_lines, g, k);
        faulty |= (uint64_t)(fault != 0) << k;
    }
    if (blocks < LANES) fill_group(g, blocks);
    faulty |= walk_blocks(c, g, bytes, blocks);
    if (__builtin_expect(faulty != 0, 0)) return faulty;

    const lanes inside = all_of(g->inside), quotes = all_of(g->quotes);
    const lanes blanks = all_of(g->blanks), opens = all_of(g->opens);
    const lanes closes = all_of(g->closes), commas = all_of(g->commas);
    const lanes colons = all_of(g->colons), kinds = all_of(g->kinds);
    const lanes outside = all_of(g->outside);
    const lanes feeds = is_lines ? all_of(g->feeds) : colons ^ colons;

    const lanes strings = inside | quotes;
    const lanes string_starts = quotes & inside;
    const lanes scalars =
        ~(strings | blanks | feeds | opens | closes | commas | colons);
    const lanes scalar_starts = scalars & ~shift_up(scalars, c->scalar);
    const lanes starts = string_starts | scalar_starts;
    memcpy(g->scalars, &scalars, sizeof scalars);
    memcpy(g->scalar_starts, &scalar_starts, sizeof scalar_starts);
    memcpy(g->starts, &starts, sizeof starts);
    c->scalar = MASKED(144, g->scalars[blocks - 1] >> 63);

    // The order of tokens.
    const lanes ends = closes | (quotes & ~inside) | scalars;
    const lanes may_close = follows(ends | opens, blanks, &c->close);
    const lanes is_item = follows(commas | opens, blanks, &c->item);
    c->close = MASKED(145, c->close);
    c->item = MASKED(146, c->item);
    const lanes after_end = may_close & ~is_item;
    lanes fault = MASKED_LANES(147, (starts | opens) & after_end);
    fault |= MASKED_LANES(148, commas & ~after_end);
    fault |= MASKED_LANES(149, closes & ~may_close);

    // Carries from quotes after `{`, `[` and commas to the byte after the
    // string and white space.
    const lanes runs = strings | blanks;
    const lanes after_item_string =
        carry_up(string_starts & is_item, runs, &c->key) & ~runs;
    c->key = MASKED(150, c->key);
    fault |= MASKED_LANES(151, colons & ~after_item_string);
    // Values that are allowed only in an array.
    const lanes elements = (after_item_string & ~colons) |
                           ((scalar_starts | opens) & is_item);
    fault |= MASKED_LANES(152, colons & ~kinds);
    fault |= MASKED_LANES(153, elements & kinds);
    fault |= MASKED_LANES(154, commas & outside);
    if (is_lines) {
        // A line feed after a comma or colon is invalid too, but outside of all
        // containers neither of these occurs.
        fault |= MASKED_LANES(157, feeds & ~outside);
    }
    faulty |= lanes_set(fault);
    faulty |= check_blocks(c, g, bytes, blocks);

    // Lengths. A token that begins and ends in the group does not exceed a
    // limit; see MIN_LIMIT.
    const uint64_t all_blocks = ((uint64_t)1 << blocks) - 1;
    const uint64_t texts = lanes_whole(inside & ~quotes) & all_blocks;
    if (texts | c->text_length) {
        bool is_key = c->key_before & c->top_before;
        faulty |= MASKED(142, (uint64_t)may_be_long(
                                  texts, c->text_length,
                                  is_key ? c->key_limit : c->text_limit))
                  << (blocks - 1);
        c->text_length =
            MASKED(166, length_after(texts, c->text_length, blocks));
    }
    const uint64_t numbers = lanes_whole(scalars);
    if (numbers | c->scalar_length) {
        faulty |= MASKED(155, (uint64_t)may_be_long(numbers, c->scalar_length,
                                                    c->number_limit))
                  << (blocks - 1);
        c->scalar_length =
            MASKED(167, length_after(numbers, c->scalar_length, blocks));
    }
    if (is_lines) {
        faulty |= MASKED(156, (uint64_t)(c->line_length + 64 * blocks >
                                         c->line_limit))
                  << (blocks - 1);
        c->line_length = MASKED(168, c->line_length + 64 * blocks);
        for (uint64_t left = lanes_set(feeds); left; left &= left - 1) {
            size_t k = (size_t)__builtin_ctzll(left);
            c->lines += MASKED(170, validation_ones(g->feeds[k]));
            c->records += MASKED(171, validation_ones(g->feeds[k] & after_end[k]));
            c->line_length =
                MASKED(169, (uint64_t)__builtin_clzll(g->feeds[k]) +
                                64 * (blocks - 1 - k));
        }
    }
    return faulty;
}

// ---- Index

// Writes the entries of validated blocks, the first of them at `offset`.
KERNEL_INLINE uint32_t *write_entries(uint32_t *to, const struct group *g,
                                      uint32_t offset, size_t blocks,
                                      struct json_scan_index *index) {
    for (size_t k = 0; k < blocks; k++, offset += 64) {
        uint64_t bits = g->starts[k] | g->opens[k] | g->closes[k];
        if (index->rows) {
            bits |= g->feeds[k];
            put_rows(index, (uint32_t)(to - index->entries), bits,
                     g->feeds[k]);
        }
        to = put_offsets(to, offset, bits);
    }
    return to;
}

// ---- Notes

// Returns the notes of blocks, the first of them at `offset`, or null: after
// bytes that the byte machine validated, blocks may be aligned differently.
KERNEL_INLINE uint8_t *notes_at(const struct json_validation *state,
                                uint64_t offset, size_t blocks) {
    uint64_t first = (offset - state->notes_start) / 64;
    bool is_aligned = (offset - state->notes_start) % 64 == 0;
    return is_aligned && first + blocks <= state->notes_count
               ? state->notes + first
               : NULL;
}

// Writes the notes of validated blocks. `in_string` is not 0 if the first one
// begins inside of a string.
KERNEL_INLINE void note_levels(uint8_t *notes, const struct carries *c,
                               const struct group *g, size_t blocks,
                               uint64_t in_string) {
    for (size_t k = 0; k < blocks; k++) {
        uint64_t level = c->below + validation_levels(g->min_top[k]) + 1;
        notes[k] = (uint8_t)((level < JSON_LEVELS_MAX ? level
                                                       : JSON_LEVELS_MAX) |
                             (in_string != 0 ? JSON_LEVELS_IN_STRING : 0));
        in_string = g->inside[k] >> 63;
    }
}

// ---- A run of blocks

enum {
    // The maximum number of groups between two copies of the carries. If one
    // of the groups has a fault, all groups after the copy are validated again,
    // byte by byte.
    VALIDATION_BATCH = 8,
};

// Validates blocks from a state that `json_validation_enter` accepts. Returns
// the number of validated bytes. `*faulty` is 0 if all whole blocks are
// validated; otherwise it is the number of further bytes that contain the
// fault.
static KERNEL inline __attribute__((always_inline)) size_t
validate_blocks(struct json_validation *state, const uint8_t *bytes, size_t count,
             bool is_lines, size_t *faulty) {
    const uint64_t base = state->offset;
    struct carries c;
    json_validation_enter(state, &c);
    uint64_t token = state->token_start;
    const size_t blocks = (count - VALIDATION_AFTER) / 64;
    const bool has_notes = !is_lines && state->notes != NULL;
    struct json_scan_index *const index = state->index;
    uint32_t *entries = index ? index->entries + index->count : NULL;
    const uint32_t entry_base = (uint32_t)(base - state->index_start);
    if (has_notes && state->notes_start == UINT64_MAX) state->notes_start = base;
    size_t done = 0, batch = 1;
    // Masks that a block does not need keep their old values.
    struct group g;
    memset(&g, 0, sizeof g);
    *faulty = 0;
    while (done < blocks && *faulty == 0) {
        const struct carries saved = c;
        const size_t start = done;
        uint64_t last_token = token;
        uint32_t *const last_entries = entries;
        const size_t last_rows = index ? index->row_count : 0;
        for (size_t n = 0; n < batch && done < blocks; n++) {
            size_t group_blocks = blocks - done < LANES ? blocks - done : LANES;
            c.key_before = c.key;
            c.top_before = c.top;
            const uint64_t in_string = c.in_string;
            uint64_t found =
                validate_group(&c, &g, bytes + done * 64, group_blocks, is_lines);
            // The bytes so far exclude a low half after the high one. The fault
            // must be found here, because the state at the end of the block
            // would be after it.
            if (__builtin_expect(c.escapes.low != 0, 0)) {
                found |= MASKED(159, (uint64_t)!json_validation_can_await(&c))
                         << (group_blocks - 1);
            }
            if (__builtin_expect(found != 0, 0)) {
                *faulty = 64 * (done - start + 1 +
                                (size_t)__builtin_ctzll(found));
                break;
            }
            const uint64_t started = lanes_set(all_of(g.starts));
            if (started) {
                size_t k = 63 - (size_t)__builtin_clzll(started);
                last_token = base + (done + k) * 64 + 63 -
                             (uint64_t)__builtin_clzll(g.starts[k]);
            }
            if (index) {
                entries = write_entries(entries, &g,
                                        entry_base + (uint32_t)(done * 64),
                                        group_blocks, index);
            }
            uint8_t *const notes =
                has_notes ? notes_at(state, base + done * 64, group_blocks)
                          : NULL;
            if (notes) note_levels(notes, &c, &g, group_blocks, in_string);
            done += group_blocks;
        }
        if (__builtin_expect(*faulty != 0, 0)) {
            // Deletes the notes of the batch.
            uint8_t *const notes =
                has_notes ? notes_at(state, base + start * 64, done - start)
                          : NULL;
            if (notes) memset(notes, 0, done - start);
            c = saved;
            done = start;
            entries = last_entries;
            if (index) index->row_count = last_rows;
            break;
        }
        token = last_token;
        batch = batch < VALIDATION_BATCH ? batch * 2 : VALIDATION_BATCH;
    }
    if (index) {
        index->count = (size_t)(entries - index->entries);
        index->has_backslash |= g.has_backslash;
    }
    json_validation_leave(state, &c, bytes, done * 64, token);
    return done * 64;
}

static KERNEL size_t validate_any_blocks(struct json_validation *state,
                                         const uint8_t *bytes, size_t count,
                                         size_t *faulty) {
    return state->is_lines ? validate_blocks(state, bytes, count, true, faulty)
                           : validate_blocks(state, bytes, count, false, faulty);
}

static size_t validate(struct json_validation *state, const uint8_t *bytes,
                       size_t count) {
    return json_validation_run_blocks(state, bytes, count, validate_any_blocks);
}

const struct json_validation_version VERSION(json_validation) = {
    VERSION_NAME, validate, VERSION_LEVEL};
