// The portable structure kernels: one byte at a time. They are the reference in
// tests.

#include "structure_kernels.h"

// Updates the string state with one byte. Returns whether the byte is inside a
// string and not a quote that begins or ends one.
static bool update_string(bool *in_string, bool *escaped, uint8_t byte) {
    bool is_quote = byte == '"' && !*escaped;
    *escaped = byte == '\\' && !*escaped;
    if (!is_quote) return *in_string;
    *in_string = !*in_string;
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
        if (update_string(&state->in_string, &state->escaped, bytes[i])) continue;
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
        bool is_text = update_string(&state->container.in_string,
                                     &state->container.escaped, byte);
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

static bool is_scalar(uint8_t byte) {
    return !json_is_blank(byte) && byte != '"' && byte != ',' && byte != ':' &&
           !opens(byte) && !closes(byte);
}

static bool tape_words(const uint8_t *bytes, size_t count, uint64_t origin,
                       struct json_scan_tape_words *state, uint64_t *words,
                       size_t capacity) {
    struct json_tape_writer writer = {words, origin, *state};
    size_t i = state->used;
    while (i < count && capacity - writer.at.words >= JSON_TAPE_MAX_BLOCK_WORDS) {
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
    *state = writer.at;
    state->used = i;
    return i == count && writer.at.open == 0;
}

size_t json_scan_unescape_portable(const uint8_t *bytes, size_t count,
                                   uint8_t *to, size_t *used) {
    size_t i = 0, written = 0;
    while (i < count) {
        uint8_t byte = bytes[i];
        if (byte == '\\') {
            if (i + 1 == count) break;
            byte = bytes[i + 1];
            if (byte != '"' && byte != '\\' && byte != '/') break;
            i++;
        }
        to[written++] = byte;
        i++;
    }
    *used = i;
    return written;
}

size_t json_scan_compact_portable(const uint8_t *bytes, size_t count,
                                  uint8_t *to,
                                  struct json_scan_compact *state) {
    size_t written = 0;
    for (size_t i = 0; i < count; i++) {
        const uint8_t byte = bytes[i];
        const bool is_text =
            update_string(&state->in_string, &state->escaped, byte);
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
    struct json_layout_writer writer = {style, to, *state};
    const uint8_t *end = to + capacity;
    size_t i = 0;
    for (; i < count; i++) {
        const uint8_t byte = bytes[i];
        const bool is_mark = opens(byte) || closes(byte) || byte == ',' ||
                             byte == ':' || byte == '\n';
        if (json_layout_max_size(style, writer.at.depth, 1, is_mark, opens(byte)) >
            (uint64_t)(end - writer.to)) {
            break;
        }
        const bool is_text =
            update_string(&writer.at.in_string, &writer.at.escaped, byte);
        if (!is_text && is_mark) {
            if (byte != '\n' || style->has_lines) {
                json_layout_put_delimiter(&writer, byte);
            }
        } else if (is_text || !json_is_blank(byte)) {
            json_layout_put_before(&writer);
            *writer.to++ = byte;
        }
    }
    writer.at.used = i;
    *state = writer.at;
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
        const bool is_text =
            update_string(&state.in_string, &state.escaped, byte);
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
    .text = json_scan_text_portable,
    .string_end = json_scan_string_end_portable,
    .whitespace = json_scan_whitespace_portable,
    .count_newlines = json_scan_count_newlines_portable,
    .container_end = json_scan_container_end_portable,
    .children = json_scan_children_portable,
    .index = write_index,
    .tape_words = tape_words,
    .compact = json_scan_compact_portable,
    .unescape = json_scan_unescape_portable,
    .layout = json_scan_layout_portable,
    .literals_find = literals_find,
};
