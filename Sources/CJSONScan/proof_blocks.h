// The block machine of the proof, over blocks of 64 bytes, some of them at once.
// A file that includes this says how a block becomes masks of 64 bits, one for
// each byte:
//
//     KERNEL, KERNEL_INLINE       attributes of a function, and of one inlined
//     struct vectors              the bytes of a block
//     vectors_of(bytes)           reads them
//     equals(block, byte)         where a byte stands
//     controls(block), highs(block)  below 20, above 7F
//     digits(block)               0...9
//     hex_digits(block)           0...9, A...F, a...f
//     escapable(block)            what may follow a backslash
//     in_range(block, low, high)  where a byte lies in a range below 80
//     struct classes classes_of(block, places, is_lines)   at these places only
//     objects(block)              which brackets are { or }; elsewhere anything
//     utf8_faults(bytes, block)   whether the block, with the 3 bytes before it,
//                                 breaks a rule; a cut at its end is none
//     IS_EAGER                    whether masks that few blocks need are made
//                                 for all of them, which takes a branch away
//
// and what is done with masks of several blocks (`lanes` is a vector with a mask
// for each, on which the usual operators work):
//
//     LANES                       how many blocks
//     lanes_top(a)                bit k: the top bit of lane k
//     lanes_set(a)                bit k: whether lane k is not 0
//     lanes_of(bits)              lane k is 1 if bit k is set, else 0
//     lanes_before(first, a)      lane k is lane k - 1 of a; lane 0 is `first`
//
// Faults are or-ed into masks and looked at once for all blocks. What each check
// and carry is, stands beside it. The numbers are those of the mutants.
//
// A group of blocks is proven in steps, each over all of its blocks:
//
//     proof_strings.h   masks; strings, escapes, UTF-8: no branch in common text
//     proof_brackets.h  the stack of open containers, bracket by bracket
//     here              what may follow what: all blocks side by side
//     proof_scalars.h   numbers and literals: blocks that have some
//
// Why a fault cannot be lost: all that a mask is made of goes upwards (shifts to
// the left, additions, prefix sums), so no byte changes what is found before it,
// but for the four bytes behind a block that a literal is compared with. What a
// mask would need from the bytes before the block is a carry, and there is none
// but those of `struct carries`.
//
// ---- Why the grammar is proven
//
// Outside of strings each byte is white space, a bracket, a comma, a colon, or
// part of a scalar (whatever is none of these; scalars are checked letter by
// letter below). Call a byte an *end* if a value ends with it: a closing
// bracket, a closing quote, any byte of a scalar. The last byte before a place
// that is no white space is then one of four things, told by two masks:
//
//     may_close   it is an end or an opening bracket
//     is_item     it is a comma or an opening bracket
//
//     end: 1 0     opening bracket: 1 1     comma: 0 1     colon or start: 0 0
//
// Both are made of the same step: shift by one, then carry through runs of white
// space by an addition. With them, what may follow what is a mask each:
//
//     a value (quote, bracket, first byte of a scalar) follows no end
//     a comma follows an end
//     a closing bracket follows an end or an opening bracket
//     a colon follows a string that itself follows `{` or a comma
//
// For the last, a bit is carried by addition from such an opening quote through
// the bytes of the string and white space to the byte behind. If that is a
// colon, the string is a key, and the container must be an object. If it is not,
// and for every other value that follows a comma or an opening bracket, it must
// be an array. So every comma and every first child is checked against the kind
// of its container, and a value behind a colon needs none of it: the colon was
// checked. Kinds come from a walk over the brackets of the block, which also
// checks that they close in order, and finds where nothing is open: no comma may
// stand there, and in lines a line feed may stand only there.
//
// Nothing here says what follows a colon at the end of a line, or that a colon
// has a value at all: a comma or bracket behind it follows no end, and a line
// feed does not stand outside of all containers.

#include "kernel_bits.h"
#include "proof_group.h"
#include "proof_strings.h"
#include "proof_brackets.h"
#include "proof_scalars.h"

// ---- Lengths

// How many bytes at the end of the blocks are in the token that is open there,
// as far as blocks are wholly in it (`whole`); with `length` bytes before.
KERNEL_INLINE uint64_t length_behind(uint64_t whole, uint64_t length,
                                     size_t blocks) {
    uint64_t others = ~whole & (((uint64_t)1 << blocks) - 1);
    if (others == 0) return length + 64 * blocks;
    return 64 * (blocks - 1 - (uint64_t)(63 - __builtin_clzll(others)));
}

// Whether a token may be too long that was open before the blocks. One that
// began in them is shorter than any limit.
KERNEL_INLINE bool may_be_long(uint64_t whole, uint64_t length, uint64_t limit) {
    // It begins in a block that is not counted in its length, and ends in the
    // first that is not wholly in it.
    return length + 64 * ((uint64_t)__builtin_ctzll(~whole) + 2) > limit;
}

// ---- A group

// Proves up to LANES blocks behind those that `c` comes from. Returns the blocks
// that have a fault, a bit each: 0 if there is none. Of what is behind the first
// nothing is known.
//
// Reads up to 4 bytes behind the last block.
KERNEL_INLINE uint64_t prove_group(struct carries *c, struct group *g,
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
    const lanes scalar_starts = scalars & ~behind(scalars, c->scalar);
    const lanes starts = string_starts | scalar_starts;
    memcpy(g->scalars, &scalars, sizeof scalars);
    memcpy(g->scalar_starts, &scalar_starts, sizeof scalar_starts);
    memcpy(g->starts, &starts, sizeof starts);
    c->scalar = MASKED(144, g->scalars[blocks - 1] >> 63);

    // What may follow what.
    const lanes ends = closes | (quotes & ~inside) | scalars;
    const lanes may_close = follows(ends | opens, blanks, &c->close);
    const lanes is_item = follows(commas | opens, blanks, &c->item);
    c->close = MASKED(145, c->close);
    c->item = MASKED(146, c->item);
    const lanes behind_end = may_close & ~is_item;
    lanes fault = MASKED_LANES(147, (starts | opens) & behind_end);
    fault |= MASKED_LANES(148, commas & ~behind_end);
    fault |= MASKED_LANES(149, closes & ~may_close);

    // From quotes behind `{`, `[` and commas to the byte behind the string.
    const lanes runs = strings | blanks;
    const lanes behind_item_string =
        carry_up(string_starts & is_item, runs, &c->key) & ~runs;
    c->key = MASKED(150, c->key);
    fault |= MASKED_LANES(151, colons & ~behind_item_string);
    // What only an array has.
    const lanes elements = (behind_item_string & ~colons) |
                           ((scalar_starts | opens) & is_item);
    fault |= MASKED_LANES(152, colons & ~kinds);
    fault |= MASKED_LANES(153, elements & kinds);
    fault |= MASKED_LANES(154, commas & outside);
    if (is_lines) {
        // Behind a comma or colon a line feed is no better, but outside of all
        // containers neither stands.
        fault |= MASKED_LANES(157, feeds & ~outside);
    }
    faulty |= lanes_set(fault);
    faulty |= check_blocks(c, g, bytes, blocks);

    // Lengths. A limit is more than a token can have that begins here and ends
    // here; see LEAST_LIMIT.
    const uint64_t all_blocks = ((uint64_t)1 << blocks) - 1;
    const uint64_t texts = lanes_whole(inside & ~quotes) & all_blocks;
    if (texts | c->text_length) {
        bool is_key = c->was_key & c->was_top;
        faulty |= MASKED(142, (uint64_t)may_be_long(
                                  texts, c->text_length,
                                  is_key ? c->key_limit : c->text_limit))
                  << (blocks - 1);
        c->text_length =
            MASKED(166, length_behind(texts, c->text_length, blocks));
    }
    const uint64_t numbers = lanes_whole(scalars);
    if (numbers | c->scalar_length) {
        faulty |= MASKED(155, (uint64_t)may_be_long(numbers, c->scalar_length,
                                                    c->number_limit))
                  << (blocks - 1);
        c->scalar_length =
            MASKED(167, length_behind(numbers, c->scalar_length, blocks));
    }
    if (is_lines) {
        faulty |= MASKED(156, (uint64_t)(c->line_length + 64 * blocks >
                                         c->line_limit))
                  << (blocks - 1);
        c->line_length = MASKED(168, c->line_length + 64 * blocks);
        for (uint64_t left = lanes_set(feeds); left; left &= left - 1) {
            size_t k = (size_t)__builtin_ctzll(left);
            c->lines += MASKED(170, proof_ones(g->feeds[k]));
            c->records += MASKED(171, proof_ones(g->feeds[k] & behind_end[k]));
            c->line_length =
                MASKED(169, (uint64_t)__builtin_clzll(g->feeds[k]) +
                                64 * (blocks - 1 - k));
        }
    }
    return faulty;
}

// ---- Notes

// Notes the levels of blocks that are proven, the first of them at `offset`.
// `in_string` is not 0 if it begins inside of a string.
KERNEL_INLINE void note_levels(const struct json_proof *state,
                               const struct carries *c, const struct group *g,
                               uint64_t offset, size_t blocks,
                               uint64_t in_string) {
    uint64_t place = offset - state->notes_start;
    // Behind bytes that were proven one by one blocks may lie otherwise.
    if (place % 64 != 0 || place / 64 + blocks > state->notes_count) return;
    uint8_t *notes = state->notes + place / 64;
    for (size_t k = 0; k < blocks; k++) {
        uint64_t level = c->below + proof_levels(g->least[k]) + 1;
        notes[k] = (uint8_t)((level < JSON_LEVELS_MOST ? level
                                                       : JSON_LEVELS_MOST) |
                             (in_string != 0 ? JSON_LEVELS_IN_STRING : 0));
        in_string = g->inside[k] >> 63;
    }
}

// Takes notes back that are those of a batch that had a fault.
KERNEL_INLINE void drop_notes(const struct json_proof *state, uint64_t offset,
                              size_t blocks) {
    uint64_t place = offset - state->notes_start;
    if (place % 64 != 0 || place / 64 + blocks > state->notes_count) return;
    memset(state->notes + place / 64, 0, blocks);
}

// ---- A run of blocks

enum {
    // Groups between two copies of the carries, at most: those behind a copy are
    // proven again, byte by byte, if one has a fault.
    PROOF_BATCH = 8,
    // What must stand behind a block: the last bytes of a literal.
    PROOF_BEHIND = 8,
    // What must stand before the first one: the start of a character.
    PROOF_BEFORE = 4,
};

// Proves blocks from a state that `json_proof_enter` takes. Returns how many
// bytes are proven. `*faulty` is 0 if these are all whole blocks, and else how
// many bytes more hold the fault.
static KERNEL inline __attribute__((always_inline)) size_t
prove_blocks(struct json_proof *state, const uint8_t *bytes, size_t count,
             bool is_lines, size_t *faulty) {
    const uint64_t base = state->offset;
    struct carries c;
    json_proof_enter(state, &c);
    uint64_t token = state->token_start;
    const size_t blocks = (count - PROOF_BEHIND) / 64;
    const bool has_notes = !is_lines && state->notes != NULL;
    if (has_notes && state->notes_start == UINT64_MAX) state->notes_start = base;
    size_t done = 0, batch = 1;
    // What a block has none of may be left as it was.
    struct group g;
    memset(&g, 0, sizeof g);
    *faulty = 0;
    while (done < blocks && *faulty == 0) {
        const struct carries saved = c;
        const size_t start = done;
        uint64_t last_token = token;
        for (size_t n = 0; n < batch && done < blocks; n++) {
            size_t most = blocks - done < LANES ? blocks - done : LANES;
            c.was_key = c.key;
            c.was_top = c.top;
            const uint64_t in_string = c.in_string;
            uint64_t found =
                prove_group(&c, &g, bytes + done * 64, most, is_lines);
            // The next bytes show that no low half follows a high one: the
            // fault would lie before the state.
            if (__builtin_expect(c.escapes.low != 0, 0)) {
                found |= MASKED(159, (uint64_t)!json_proof_can_await(&c))
                         << (most - 1);
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
            if (has_notes) {
                note_levels(state, &c, &g, base + done * 64, most, in_string);
            }
            done += most;
        }
        if (__builtin_expect(*faulty != 0, 0)) {
            if (has_notes) drop_notes(state, base + start * 64, done - start);
            c = saved;
            done = start;
            break;
        }
        token = last_token;
        batch = batch < PROOF_BATCH ? batch * 2 : PROOF_BATCH;
    }
    json_proof_leave(state, &c, bytes, done * 64, token);
    return done * 64;
}

static KERNEL size_t prove_document_blocks(struct json_proof *state,
                                           const uint8_t *bytes, size_t count,
                                           size_t *faulty) {
    return prove_blocks(state, bytes, count, false, faulty);
}

static KERNEL size_t prove_line_blocks(struct json_proof *state,
                                       const uint8_t *bytes, size_t count,
                                       size_t *faulty) {
    return prove_blocks(state, bytes, count, true, faulty);
}

static size_t prove(struct json_proof *state, const uint8_t *bytes,
                    size_t count) {
    return json_proof_run_blocks(state, bytes, count, prove_document_blocks,
                                 prove_line_blocks);
}
