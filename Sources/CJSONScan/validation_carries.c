// The conversions between the two machines of the validation, and the loop
// that runs both.

#include "validation_carries.h"

enum {
    // The minimum limit for the block machine. A token or line that is within
    // eight blocks and the two around them is not longer.
    MIN_LIMIT = 640,
    // The maximum number of containers on the stack of the block machine, and
    // the number of innermost containers that it takes over from a deep state.
    MAX_LEVELS = 62, TAKEN_LEVELS = 32,
};

// ---- From a state to carries

bool json_validation_can_enter(const struct json_validation *s) {
    if (s->token == JSON_VALIDATION_NO_TOKEN) return true;
    return s->token == JSON_VALIDATION_TEXT && !MASKED(192, s->awaits_low);
}

void json_validation_enter(const struct json_validation *s, struct carries *c) {
    memset(c, 0, sizeof *c);
    bool is_text = s->token == JSON_VALIDATION_TEXT;
    c->in_string = MASKED(174, is_text ? ~(uint64_t)0 : 0);
    if (is_text) {
        c->text_length = MASKED(175, s->offset - s->token_start);
        c->key = MASKED(176, s->phase == JSON_VALIDATION_KEY);
    } else {
        switch (s->phase) {
        case JSON_VALIDATION_COLON:
            c->key = MASKED(177, 1);
            c->close = MASKED(178, 1);
            break;
        case JSON_VALIDATION_END: case JSON_VALIDATION_COMMA_OR_CLOSE:
            c->close = MASKED(179, 1);
            break;
        case JSON_VALIDATION_ELEMENT_OR_CLOSE: case JSON_VALIDATION_KEY_OR_CLOSE:
            c->close = MASKED(180, 1);
            c->item = MASKED(181, 1);
            break;
        case JSON_VALIDATION_ELEMENT: case JSON_VALIDATION_KEY:
            c->item = MASKED(182, 1);
            break;
        default:
            break;
        }
    }
    c->below = s->depth > MAX_LEVELS - 8 ? s->depth - TAKEN_LEVELS : 0;
    c->has_below = MASKED(191, c->below > 0);
    c->top = 1;
    for (uint64_t level = c->below; level < s->depth; level++) {
        c->top = c->top << 1 | (s->kinds[level / 64] >> (level % 64) & 1);
    }
    uint64_t room = s->kinds_capacity * 64;
    uint64_t max_levels = s->limits.depth < room ? s->limits.depth : room;
    // More containers than the limit may be open, if the limit was lowered.
    max_levels = max_levels > c->below ? max_levels - c->below : 0;
    c->full = (uint64_t)2
              << (max_levels < MAX_LEVELS ? max_levels : MAX_LEVELS);
    c->text_limit = s->limits.string;
    c->key_limit = s->limits.key;
    c->number_limit = s->limits.number;
    c->line_limit = s->limits.line;
    c->line_length = MASKED(183, s->offset - s->line_start);
}

// ---- From carries to a state

bool json_validation_can_await(const struct carries *c) {
    if (c->escapes.low == 0) return true;
    if (c->in_string == 0) return false;
    // The number of bytes of the next block before the second digit of the low
    // half. Backwards from that digit the text must be: the first digit, `u`, a
    // backslash, and two digits of the high half.
    int missing = __builtin_ctzll(c->escapes.low);
    int digits = __builtin_popcountll(c->escapes.digits);
    switch (missing) {
    case 5: return digits == 2;
    case 4: return digits == 1;
    case 3: return digits == 0 && !c->escape;
    case 2: return c->escape;
    case 1: return digits == 4;
    default: return digits == 3 && c->escapes.second;
    }
}

// Sets the state for a string that contains the last byte before `end`.
static void leave_in_string(struct json_validation *s, const struct carries *c,
                            const uint8_t *end) {
    int digits = __builtin_popcountll(c->escapes.digits);
    s->token = JSON_VALIDATION_TEXT;
    if (MASKED(184, c->escape)) {
        s->token = JSON_VALIDATION_AFTER_BACKSLASH;
    } else if (MASKED(185, digits > 0)) {
        s->token = JSON_VALIDATION_IN_HEX;
        s->hex_seen = (uint8_t)(4 - digits);
        if (MASKED(188, s->hex_seen == 1 && c->escapes.second)) {
            s->half = JSON_VALIDATION_MAY_BE_HALF;
        }
    } else if (MASKED(186, c->in_character)) {
        s->token = JSON_VALIDATION_IN_UTF8;
        unsigned back = end[-1] >= 0xC0 ? 1 : end[-2] >= 0xC0 ? 2 : 3;
        s->utf8_left = (uint8_t)(json_utf8_continuations(
                                     end[-(int)back], &s->utf8_min,
                                     &s->utf8_max) + 1 - back);
        if (back > 1) {
            s->utf8_min = 0x80;
            s->utf8_max = 0xBF;
        }
    }
    if (MASKED(187, c->escapes.low)) {
        // json_validation_can_await has verified these carries.
        if (s->token == JSON_VALIDATION_IN_HEX && s->hex_seen >= 2) {
            s->half = JSON_VALIDATION_HIGH_HALF;
        } else {
            s->awaits_low = true;
        }
    }
}

void json_validation_leave(struct json_validation *s, const struct carries *c,
                      const uint8_t *bytes, size_t count, uint64_t token) {
    if (count == 0) return;
    const uint64_t base = s->offset;
    uint64_t levels = validation_levels(c->top);
    s->depth = c->below + levels;
    for (uint64_t n = 0; n < levels; n++) {
        uint64_t level = s->depth - 1 - n;
        uint64_t bit = (uint64_t)1 << (level % 64);
        uint64_t *word = s->kinds + level / 64;
        *word = c->top >> n & 1 ? *word | bit : *word & ~bit;
    }
    s->offset = base + count;
    s->line += c->lines;
    s->records += c->records;
    if (s->is_lines) s->line_start = s->offset - c->line_length;
    s->token = JSON_VALIDATION_NO_TOKEN;
    s->token_start = s->offset;

    bool is_object = c->top & 1;
    enum json_validation_phase value = s->depth == 0 ? JSON_VALIDATION_START
                                  : is_object   ? JSON_VALIDATION_MEMBER
                                                : JSON_VALIDATION_ELEMENT;
    if (MASKED(189, c->in_string)) {
        s->phase = s->depth > 0 && is_object && c->key ? JSON_VALIDATION_KEY : value;
        s->token_start = token;
        leave_in_string(s, c, bytes + count);
    } else if (MASKED(190, c->scalar)) {
        // The byte machine reads the scalar again to find the progress in it.
        // The scalar began in these blocks, because the block machine never
        // enters inside a scalar.
        s->phase = value;
        s->offset = s->token_start = token;
        // The block machine has written the entry of the scalar.
        struct json_scan_index *index = s->index;
        s->index = NULL;
        json_validation_run_bytes(s, bytes + (token - base),
                             (size_t)(base + count - token));
        s->index = index;
    } else if (c->close && c->item) {
        s->phase = is_object ? JSON_VALIDATION_KEY_OR_CLOSE
                             : JSON_VALIDATION_ELEMENT_OR_CLOSE;
    } else if (c->item) {
        s->phase = is_object ? JSON_VALIDATION_KEY : JSON_VALIDATION_ELEMENT;
    } else if (c->close) {
        s->phase = c->key && s->depth > 0 && is_object
                       ? JSON_VALIDATION_COLON
                       : json_validation_phase_after_value(s);
    } else {
        s->phase = s->depth == 0 ? JSON_VALIDATION_START : JSON_VALIDATION_MEMBER;
    }
}

// ---- Both machines

size_t json_validation_run_blocks(struct json_validation *s, const uint8_t *bytes,
                             size_t count, json_validation_blocks blocks) {
    const struct json_validation_limits *limits = &s->limits;
    bool is_possible = limits->string >= MIN_LIMIT &&
                       limits->key >= MIN_LIMIT &&
                       limits->number >= MIN_LIMIT &&
                       (!s->is_lines || limits->line >= MIN_LIMIT);
    size_t i = 0;
    // The number of consecutive attempts at which blocks could not begin.
    unsigned misses = 0;
    s->reason = JSON_VALIDATION_DECIDED;
    while (i < count) {
        // The number of bytes for the byte machine: up to the next offset at
        // which blocks may begin, or all that are left.
        size_t bytewise = count - i;
        size_t faulty = 0;
        if (is_possible && bytewise >= 64 + VALIDATION_AFTER + VALIDATION_BEFORE) {
            if (i < VALIDATION_BEFORE) {
                bytewise = VALIDATION_BEFORE - i;
            } else if (!json_validation_can_enter(s)) {
                // Steps of eight bytes only could end inside a token each time.
                bytewise = misses < 4 ? 8 : 1;
                misses++;
            } else {
                misses = 0;
                i += blocks(s, bytes + i, count - i, &faulty);
                if (faulty == 0) continue;
                bytewise = faulty;
            }
        }
        size_t used = json_validation_run_bytes(s, bytes + i, bytewise);
        i += used;
        if (s->reason != JSON_VALIDATION_DECIDED) break;
        if (faulty > 0) s->alarms++;
    }
    return i;
}
