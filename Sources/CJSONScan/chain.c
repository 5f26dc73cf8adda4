// Follows names into objects: the scans over members and containers, one behind
// the other, for as long as nothing is unusual.

#include "structure_kernels.h"

#include "json_scan.h"

static inline size_t skip_blanks(const uint8_t *bytes, size_t count,
                                 size_t i) {
    if (i == count || !json_is_blank(bytes[i])) return i;
    return i + json_scan_whitespace(bytes + i, count - i);
}

// Whether a number or word is over with this byte, and nothing is wrong so far.
static bool ends_value(uint8_t byte) {
    return byte == ',' || byte == '}' || byte == ']' || json_is_blank(byte);
}

// The offset behind the scalar at `i`, or 0 if none begins there or it is not
// known to end.
static size_t scalar_end(const uint8_t *bytes, size_t count, size_t i) {
    switch (bytes[i]) {
    case '"': {
        bool escaped = false;
        i++;
        i += json_scan_string_end(bytes + i, count - i, &escaped);
        return i < count ? i + 1 : 0;
    }
    case '-': case '0': case '1': case '2': case '3': case '4': case '5':
    case '6': case '7': case '8': case '9': case 't': case 'f': case 'n':
        while (++i < count) {
            if (ends_value(bytes[i])) return i;
        }
        return 0;
    default:
        return 0;
    }
}

// Follows the chain in the object whose opening brace is the first byte, and
// goes to its end. Returns how many bytes it takes, or 0 if it is not as usual.
// `scalar->end` is 0 if no scalar stands at the end of the chain.
static inline size_t follow(const struct json_scan_structure_version *kernels,
                            const uint8_t *bytes, size_t count,
                            const struct json_scan_chain *chain,
                            struct json_scan_scalar *scalar) {
    size_t i = 0;
    size_t open = 0;
    scalar->end = 0;
    while (open < chain->count) {
        if (i >= count || bytes[i] != '{') return 0;
        i++;
        struct json_scan_members members = json_scan_members_opened();
        size_t used;
        enum json_scan_outcome outcome = kernels->members(
            bytes + i, count - i, &members, chain->names[open], &used);
        i += used;
        if (outcome == JSON_SCAN_ENDED) break;
        open++;
        if (outcome != JSON_SCAN_STOPPED || members.name != 0) return 0;
        i = skip_blanks(bytes, count, i);
        if (i >= count || bytes[i] != ':') return 0;
        i = skip_blanks(bytes, count, i + 1);
        if (open < chain->count) continue;
        if (i >= count) return 0;
        scalar->start = i;
        scalar->end = i = scalar_end(bytes, count, i);
        if (i == 0 || i - scalar->start > JSON_SCAN_LONGEST_SCALAR) return 0;
    }
    if (open == 0) return i;
    struct json_scan_container rest = json_scan_container_opened(false);
    rest.depth = (int64_t)open;
    rest.objects = (int64_t)open;
    size_t end = i + kernels->container_end(bytes + i, count - i, &rest);
    return end < count && rest.objects == 0 ? end + 1 : 0;
}

size_t json_scan_elements(const uint8_t *bytes, size_t count,
                          const struct json_scan_chain *chain,
                          struct json_scan_scalar *scalars, size_t capacity,
                          size_t *found, size_t *elements) {
    return json_scan_elements_by(json_scan_structure_version(0), bytes, count,
                                 chain, scalars, capacity, found, elements);
}

size_t json_scan_elements_by(const struct json_scan_structure_version *kernels,
                             const uint8_t *bytes, size_t count,
                             const struct json_scan_chain *chain,
                             struct json_scan_scalar *scalars, size_t capacity,
                             size_t *found, size_t *elements) {
    size_t used = 0;
    *found = 0;
    *elements = 0;
    while (*found < capacity) {
        size_t start = skip_blanks(bytes, count, used);
        if (start >= count || bytes[start] != ',') break;
        start = skip_blanks(bytes, count, start + 1);
        struct json_scan_scalar *scalar = scalars + *found;
        size_t length =
            follow(kernels, bytes + start, count - start, chain, scalar);
        if (length == 0) break;
        if (scalar->end > 0) {
            scalar->element = *elements;
            scalar->start += start;
            scalar->end += start;
            ++*found;
        }
        ++*elements;
        used = start + length;
    }
    return used;
}

size_t json_scan_lines(const uint8_t *bytes, size_t count,
                       const struct json_scan_chain *chain,
                       struct json_scan_line_scalar *scalars, size_t capacity,
                       size_t *found, size_t *lines) {
    return json_scan_lines_by(json_scan_structure_version(0), bytes, count,
                              chain, scalars, capacity, found, lines);
}

// What the kernels go over at once.
enum { BLOCK = 64 };

size_t json_scan_lines_by(const struct json_scan_structure_version *kernels,
                          const uint8_t *bytes, size_t count,
                          const struct json_scan_chain *chain,
                          struct json_scan_line_scalar *scalars,
                          size_t capacity, size_t *found, size_t *lines) {
    size_t used = 0;
    *found = 0;
    *lines = 0;
    while (*found < capacity) {
        size_t length = json_scan_newline(bytes + used, count - used);
        if (length == count - used) break;
        struct json_scan_line_scalar *line = scalars + *found;
        // With bytes behind the line, so that all of it is in whole blocks.
        size_t rest = count - used;
        size_t end =
            follow(kernels, bytes + used,
                   rest < length + BLOCK ? rest : length + BLOCK, chain,
                   &line->scalar);
        if (end == 0 || end > length) break;
        if (skip_blanks(bytes + used, length, end) < length) break;
        if (line->scalar.end > 0) {
            line->start = used;
            line->end = used + length + 1;
            line->scalar.element = *lines;
            line->scalar.start += used;
            line->scalar.end += used;
            ++*found;
        }
        ++*lines;
        used += length + 1;
    }
    return used;
}
