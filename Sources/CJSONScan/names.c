// Names of members: prepares them for a scan, and compares keys with them.

#include "structure_kernels.h"

bool json_scan_names_prepare(struct json_scan_names *names,
                             const uint8_t *bytes, const size_t *lengths,
                             size_t count) {
    if (count == 0 || count > JSON_SCAN_MAX_NAMES) return false;
    names->count = count;
    names->max_key_length = 0;
    names->min_escaped_length = SIZE_MAX;
    names->has_short_escapes = false;
    for (size_t n = 0; n < count; n++) {
        struct json_scan_name *name = &names->names[n];
        size_t length = lengths[n];
        name->bytes = bytes;
        name->count = length;
        bytes += length;
        name->first = length > 0 ? name->bytes[0] : '"';
        // An escape has at most six bytes and denotes at least one byte.
        if (names->max_key_length < 6 * length) {
            names->max_key_length = 6 * length;
        }
        // `\u` has six bytes and denotes at most three.
        if (names->min_escaped_length > length + 3) {
            names->min_escaped_length = length + 3;
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

size_t json_name_of_escaped_key(const uint8_t *key, size_t room,
                                const struct json_scan_names *names) {
    bool may_be_escaped_name = false;
    for (size_t i = 0; i < room && i <= names->max_key_length; i++) {
        if (key[i] == '\\') {
            if (++i == room) break;
            may_be_escaped_name |= names->has_short_escapes || key[i] == 'u';
        } else if (key[i] == '"') {
            if (may_be_escaped_name) return names->count;
            size_t name = index_of_name(key, i, names);
            return name < names->count ? name : names->count + 1;
        }
    }
    return names->count + 1;
}
