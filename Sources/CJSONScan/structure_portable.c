// The portable structure kernels: one byte at a time. They are the reference in
// tests.

#include "structure_kernels.h"

// Updates the string state with one byte. Returns whether the byte is inside a
// string and not a quote that begins or ends one.
static bool update_string(struct json_scan_container *state, uint8_t byte) {
    bool is_quote = byte == '"' && !state->escaped;
    state->escaped = byte == '\\' && !state->escaped;
    if (!is_quote) return state->in_string;
    state->in_string = !state->in_string;
    return false;
}

static bool opens(uint8_t byte) { return byte == '{' || byte == '['; }
static bool closes(uint8_t byte) { return byte == '}' || byte == ']'; }

// Counts the byte if it is a bracket. Returns whether it closes the outermost
// container.
static bool count_bracket(struct json_scan_container *state, uint8_t byte) {
    int change = opens(byte) ? 1 : closes(byte) ? -1 : 0;
    state->depth += change;
    if (byte == '{' || byte == '}') state->objects += change;
    return change < 0 && state->depth == 0;
}

size_t json_scan_container_end_portable(const uint8_t *bytes, size_t count,
                                        struct json_scan_container *state) {
    for (size_t i = 0; i < count; i++) {
        if (update_string(state, bytes[i])) continue;
        if (count_bracket(state, bytes[i])) {
            state->escaped = false;
            return i;
        }
    }
    return count;
}

enum json_scan_outcome
json_scan_children_portable(const uint8_t *bytes, size_t count,
                            struct json_scan_children *state,
                            struct json_scan_child *children, size_t capacity,
                            size_t *found) {
    *found = 0;
    // With notes, blocks are skipped, so the number of open objects is unknown.
    const bool checks = state->levels.notes == NULL;
    for (size_t i = 0; i < count; i++) {
        if (*found == capacity) return JSON_SCAN_FULL;
        uint8_t byte = bytes[i];
        bool is_quote = byte == '"' && !state->container.escaped;
        bool is_text = update_string(&state->container, byte);
        if (!is_text) {
            switch (state->phase) {
            case JSON_SCAN_PHASE_KEY:
                if (json_is_blank(byte)) break;
                if (closes(byte) && state->is_first) {
                    if (!count_bracket(&state->container, byte) ||
                        (state->container.objects != 0 && checks)) {
                        return JSON_SCAN_MALFORMED;
                    }
                    state->offset++;
                    return JSON_SCAN_ENDED;
                }
                if (!is_quote) return JSON_SCAN_MALFORMED;
                state->child.key_start = state->offset + 1;
                state->phase = JSON_SCAN_PHASE_IN_KEY;
                break;
            case JSON_SCAN_PHASE_IN_KEY:
                state->child.key_end = state->offset;
                state->phase = JSON_SCAN_PHASE_COLON;
                break;
            case JSON_SCAN_PHASE_COLON:
                if (json_is_blank(byte)) break;
                if (byte != ':') return JSON_SCAN_MALFORMED;
                state->phase = JSON_SCAN_PHASE_BEFORE_VALUE;
                break;
            case JSON_SCAN_PHASE_BEFORE_VALUE:
                if (json_is_blank(byte)) break;
                if (byte == ',' || byte == ':') return JSON_SCAN_MALFORMED;
                if (closes(byte)) {
                    if (!state->is_first || state->is_object ||
                        !count_bracket(&state->container, byte) ||
                        (state->container.objects != 0 && checks)) {
                        return JSON_SCAN_MALFORMED;
                    }
                    state->offset++;
                    return JSON_SCAN_ENDED;
                }
                count_bracket(&state->container, byte);
                state->child.value_start = state->offset;
                state->phase = JSON_SCAN_PHASE_VALUE;
                break;
            case JSON_SCAN_PHASE_VALUE:
                if (state->container.depth == 1 && byte == ':') {
                    return JSON_SCAN_MALFORMED;
                }
                bool has_ended = count_bracket(&state->container, byte);
                if (closes(byte) && state->container.depth == 1 &&
                    state->container.objects != state->is_object && checks) {
                    return JSON_SCAN_MALFORMED;
                }
                if (has_ended && state->container.objects != 0 && checks) {
                    return JSON_SCAN_MALFORMED;
                }
                if (!has_ended &&
                    !(state->container.depth == 1 && byte == ',')) {
                    break;
                }
                state->child.value_end = state->offset;
                children[(*found)++] = state->child;
                state->is_first = false;
                state->phase = state->is_object ? JSON_SCAN_PHASE_KEY
                                                : JSON_SCAN_PHASE_BEFORE_VALUE;
                if (has_ended) {
                    state->offset++;
                    return JSON_SCAN_ENDED;
                }
                break;
            }
        }
        state->offset++;
    }
    return *found == capacity ? JSON_SCAN_FULL : JSON_SCAN_MORE;
}

enum json_scan_outcome
json_scan_members_portable(const uint8_t *bytes, size_t count,
                           struct json_scan_members *state,
                           const struct json_scan_names *names, size_t *used) {
    for (size_t i = 0; i < count; i++) {
        uint8_t byte = bytes[i];
        bool was_in_string = state->container.in_string;
        bool is_text = update_string(&state->container, byte);
        if (is_text) continue;
        if (state->container.in_string && !was_in_string &&
            state->container.depth == 1 && state->before == ',') {
            enum json_key key = json_key_at(bytes, count, i, names, state);
            if (key != JSON_KEY_OTHER) {
                return json_stop_at_key(state, key, i, state->container.objects,
                                        used);
            }
        }
        if (count_bracket(&state->container, byte)) {
            state->container.escaped = false;
            *used = state->container.objects == 0 ? i + 1 : i;
            return state->container.objects == 0 ? JSON_SCAN_ENDED
                                            : JSON_SCAN_MALFORMED;
        }
        if (!json_is_blank(byte)) state->before = byte;
    }
    *used = count;
    return JSON_SCAN_MORE;
}

// Returns whether the string at `quote` has the first and the probe byte of a
// name, or there are too many names to probe.
static bool may_be_name(const uint8_t *quote,
                        const struct json_scan_names *names) {
    if (names->count > JSON_SCAN_MAX_PROBED_NAMES) return true;
    for (size_t n = 0; n < names->count; n++) {
        const struct json_scan_name *name = &names->names[n];
        if (quote[1] == name->first &&
            quote[name->probe_offset] == name->probe) {
            return true;
        }
    }
    return false;
}

static void brackets(const uint8_t *bytes, size_t count,
                     const struct json_scan_names *names,
                     struct json_scan_mark *marks, size_t capacity,
                     struct json_scan_marked *marked) {
    struct json_scan_container container = json_scan_container_opened(true);
    uint32_t commas = 0;
    size_t found = 0, start = 0;
    // Whether the open string has a mark.
    bool is_marked = false;
    *marked = (struct json_scan_marked){0, 0, 0};
    if (count > JSON_BRACKET_MAX_BYTES) count = JSON_BRACKET_MAX_BYTES;
    for (size_t i = 0;; i++) {
        if (i % JSON_BRACKET_BLOCK == 0 &&
            (count - i < JSON_BRACKET_BLOCK + names->reach ||
             capacity - found < JSON_BRACKET_MAX_MARKS)) {
            break;
        }
        const uint8_t byte = bytes[i];
        const bool was_in_string = container.in_string;
        bool is_mark = false;
        if (update_string(&container, byte)) {
            is_mark = byte == '\\' && !is_marked &&
                       (names->has_short_escapes || bytes[i + 1] == 'u');
            is_marked |= is_mark;
        } else if (container.in_string) {
            start = i;
            is_mark = is_marked = may_be_name(bytes + i, names);
        } else if (!was_in_string) {
            is_mark = opens(byte) || closes(byte);
            if (is_mark) start = i;
            commas += byte == ',';
            if (is_mark || byte == ',') {
                marked->end = i + 1;
                marked->commas = commas;
            }
        }
        if (is_mark) {
            marks[found++] = (struct json_scan_mark){(uint32_t)start, commas};
        }
    }
    marked->marks = found;
}

static bool is_scalar(uint8_t byte) {
    return !json_is_blank(byte) && byte != '"' && byte != ',' && byte != ':' &&
           !opens(byte) && !closes(byte);
}

static bool tape_words(const uint8_t *bytes, size_t count, uint64_t origin,
                       struct json_scan_tape_words *state, uint64_t *words,
                       size_t capacity) {
    struct json_tape_writer writer =
        json_tape_writer_from(state, words, origin);
    size_t i = state->used;
    while (i < count && capacity - writer.count >= JSON_TAPE_MAX_BLOCK_WORDS) {
        size_t start = i;
        bool has_escape = false;
        if (opens(bytes[i]) || closes(bytes[i])) {
            if (!json_tape_put_bracket(&writer, bytes[i], i)) {
                state->used = count;
                return false;
            }
            i++;
        } else if (bytes[i] == '"') {
            for (i++; i < count && bytes[i] != '"'; i++) {
                if (bytes[i] != '\\') continue;
                has_escape = true;
                i++;
            }
            if (i >= count) {
                state->used = count;
                return false;
            }
            json_tape_put_scalar(&writer, bytes, start, i++, has_escape);
        } else if (is_scalar(bytes[i])) {
            while (i < count && is_scalar(bytes[i])) i++;
            json_tape_put_scalar(&writer, bytes, start, i, false);
        } else {
            i++;
        }
    }
    json_tape_writer_save(&writer, state);
    state->used = i;
    return i == count && writer.open == 0;
}

size_t json_scan_compact_portable(const uint8_t *bytes, size_t count,
                                  uint8_t *to,
                                  struct json_scan_compact *state) {
    size_t written = 0;
    for (size_t i = 0; i < count; i++) {
        const uint8_t byte = bytes[i];
        const bool is_text = state->in_string;
        const bool is_quote = byte == '"' && !state->escaped;
        state->escaped = byte == '\\' && !state->escaped;
        if (is_quote) state->in_string = !is_text;
        bool is_kept = is_text || !json_is_blank(byte);
        if (state->keeps_lines && !is_kept && byte == '\n') {
            is_kept = state->in_line;
            state->in_line = false;
        } else {
            state->in_line |= state->keeps_lines && is_kept;
        }
        if (is_kept) to[written++] = byte;
    }
    return written;
}

size_t json_scan_layout_portable(const uint8_t *bytes, size_t count,
                                 const struct json_scan_style *style,
                                 struct json_scan_layout *state, uint8_t *to,
                                 size_t capacity) {
    struct json_layout_writer writer =
        json_layout_writer_from(style, state, to);
    const uint8_t *end = to + capacity;
    size_t i = 0;
    for (; i < count; i++) {
        const uint8_t byte = bytes[i];
        const bool is_mark = opens(byte) || closes(byte) || byte == ',' ||
                             byte == ':' || byte == '\n';
        if (json_layout_max_size(style, writer.depth, 1, is_mark, opens(byte)) >
            (uint64_t)(end - writer.to)) {
            break;
        }
        const bool is_text = state->in_string;
        const bool is_quote = byte == '"' && !state->escaped;
        state->escaped = byte == '\\' && !state->escaped;
        if (is_quote) state->in_string = !is_text;
        if (!is_text && is_mark) {
            if (byte != '\n' || style->has_lines) {
                json_layout_put_mark(&writer, byte);
            }
        } else if (is_text || !json_is_blank(byte)) {
            json_layout_put_before(&writer);
            *writer.to++ = byte;
        }
    }
    json_layout_writer_save(&writer, state);
    state->used = i;
    return (size_t)(writer.to - to);
}

static size_t literals_find(const uint8_t *bytes, size_t count,
                            const struct json_scan_literals *literals,
                            size_t *which) {
    return json_scan_literals_from(bytes, count, 0, literals, which);
}

static void write_index(const uint8_t *bytes, size_t count,
                        struct json_scan_index *index) {
    uint32_t *to = index->entries, *row = index->rows;
    struct json_scan_container state = json_scan_container_opened(true);
    bool was_scalar = false;
    index->at = index->row = 0;
    index->has_backslash = false;
    for (size_t i = 0; i < count; i++) {
        const uint8_t byte = bytes[i];
        const bool was_text = state.in_string;
        const bool is_text = update_string(&state, byte);
        const bool is_quote = state.in_string != was_text;
        const bool is_bracket = !is_text && (opens(byte) || closes(byte));
        const bool is_feed = row && !is_text && byte == '\n';
        const bool is_other_scalar =
            !is_text && !is_quote && (is_scalar(byte) || byte == '"');
        index->has_backslash |= byte == '\\';
        if (is_feed) *row++ = (uint32_t)(to - index->entries);
        if (is_feed || is_bracket || (is_quote && !was_text) ||
            (is_other_scalar && !was_scalar)) {
            *to++ = (uint32_t)i;
        }
        was_scalar = is_other_scalar;
    }
    index->count = (size_t)(to - index->entries);
    index->row_count = row ? (size_t)(row - index->rows) : 0;
}

const struct json_scan_structure_version json_scan_structure_portable = {
    .name = "portable",
    .level = JSON_KERNEL_PORTABLE,
    .container_end = json_scan_container_end_portable,
    .children = json_scan_children_portable,
    .members = json_scan_members_portable,
    .brackets = brackets,
    .index = write_index,
    .tape_words = tape_words,
    .compact = json_scan_compact_portable,
    .layout = json_scan_layout_portable,
    .literals_find = literals_find,
};
