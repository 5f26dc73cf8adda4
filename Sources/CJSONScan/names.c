// Names of members: prepares them for a scan, and compares keys with them.

#include "structure_kernels.h"

// The maximum offset of the probe byte from an opening quote. It is small, so
// that a scan needs few bytes after a block.
enum { MAX_PROBE_OFFSET = 32 };

bool json_scan_names_prepare(struct json_scan_names *names,
                             const uint8_t *bytes, const size_t *lengths,
                             size_t count) {
    if (count == 0 || count > JSON_SCAN_MAX_NAMES) return false;
    names->count = count;
    names->reach = 1;
    names->max_key_length = 0;
    names->has_short_escapes = false;
    for (size_t n = 0; n < count; n++) {
        struct json_scan_name *name = &names->names[n];
        size_t length = lengths[n];
        name->bytes = bytes;
        name->count = length;
        bytes += length;
        name->first = length > 0 ? name->bytes[0] : '"';
        bool is_short = length < MAX_PROBE_OFFSET;
        name->probe_offset = is_short ? length + 1 : MAX_PROBE_OFFSET;
        name->probe = is_short ? '"' : name->bytes[MAX_PROBE_OFFSET - 1];
        if (names->reach < name->probe_offset) {
            names->reach = name->probe_offset;
        }
        // An escape has at most six bytes and denotes at least one byte.
        if (names->max_key_length < 6 * length) {
            names->max_key_length = 6 * length;
        }
        for (size_t i = 0; i < length; i++) {
            uint8_t byte = name->bytes[i];
            if (byte < 0x20 || byte == '"' || byte == '\\' || byte == '/') {
                names->has_short_escapes = true;
            }
        }
    }
    return true;
}

// Returns the index of the first name that equals the key, or the number of
// names.
static size_t index_of_name(const uint8_t *key, size_t count,
                            const struct json_scan_names *names) {
    for (size_t n = 0; n < names->count; n++) {
        const struct json_scan_name *name = &names->names[n];
        if (name->count == count && memcmp(name->bytes, key, count) == 0) {
            return n;
        }
    }
    return names->count;
}

// Returns the index of the first name that occurs at `key` with a closing quote
// after it, or the number of names. Does not work for a name that contains a
// quote or backslash: its bytes in the source are another key.
static size_t index_of_plain_name(const uint8_t *key, size_t room,
                                  const struct json_scan_names *names) {
    if (names->has_short_escapes) return names->count;
    for (size_t n = 0; n < names->count; n++) {
        const struct json_scan_name *name = &names->names[n];
        if (name->count < room && key[name->count] == '"' &&
            memcmp(name->bytes, key, name->count) == 0) {
            return n;
        }
    }
    return names->count;
}

enum json_key json_key_at(const uint8_t *bytes, size_t count, size_t quote,
                          const struct json_scan_names *names,
                          struct json_scan_members *state) {
    size_t start = quote + 1;
    size_t name = index_of_plain_name(bytes + start, count - start, names);
    if (name < names->count) {
        state->key_start = start;
        state->key_end = start + names->names[name].count;
        state->name = name;
        return JSON_KEY_MATCHES;
    }
    bool may_be_escaped_name = false;
    for (size_t i = start; i < count; i++) {
        // Rejects an overlong key early, so that a window that ends inside it
        // does not cause another read of the key.
        if (i - start > names->max_key_length) return JSON_KEY_OTHER;
        if (bytes[i] == '\\') {
            if (++i == count) break;
            if (names->has_short_escapes || bytes[i] == 'u') {
                may_be_escaped_name = true;
            }
            continue;
        }
        if (bytes[i] != '"') continue;
        if (!may_be_escaped_name) {
            // `index_of_plain_name` has compared a key without escapes already.
            if (!names->has_short_escapes) return JSON_KEY_OTHER;
            name = index_of_name(bytes + start, i - start, names);
            if (name == names->count) return JSON_KEY_OTHER;
        }
        state->key_start = start;
        state->key_end = i;
        state->name = name;
        return JSON_KEY_MATCHES;
    }
    return JSON_KEY_INCOMPLETE;
}
