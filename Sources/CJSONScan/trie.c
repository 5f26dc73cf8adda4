// Follows a trie of names into objects with the scans over members and
// containers, as long as the elements are regular (json_scan_structure.h).

#include "structure_kernels.h"

#include "json_scan.h"

static inline size_t skip_blanks(const uint8_t *bytes, size_t count,
                                 size_t i) {
    if (i == count || bytes[i] > 0x20) return i;
    return i + json_scan_whitespace(bytes + i, count - i);
}

// The parameters that are the same for all elements.
struct trie_walk {
    const struct json_scan_structure_version *kernels;
    const uint8_t *bytes;
    size_t count;
    const struct json_scan_trie *trie;
    // The end of the line of the element, if the line is known to be JSON;
    // otherwise 0.
    size_t proven_end;
};

// Returns the offset after the array or object at `i`, or 0 if its end is not
// in the bytes, or if its brackets of one kind differ in number.
static size_t container_end(const struct trie_walk *walk, size_t i) {
    struct json_scan_container scan =
        json_scan_container_opened(walk->bytes[i] == '{');
    i++;
    i += walk->kernels->container_end(walk->bytes + i, walk->count - i, &scan);
    return i < walk->count && scan.objects == 0 ? i + 1 : 0;
}

// Returns the offset after the scalar at `i`, or 0 if no scalar begins there or
// its end is not in the bytes.
static inline size_t scalar_end(const uint8_t *bytes, size_t count, size_t i) {
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
            if (json_ends_scalar(bytes[i])) return i;
        }
        return 0;
    default:
        return 0;
    }
}

// Returns the offset after the value at `i`, or 0 if it is not regular.
static inline size_t value_end(const struct trie_walk *walk, size_t i) {
    size_t max_length = JSON_SCAN_MAX_SCALAR_LENGTH;
    size_t end;
    const bool is_limited = walk->proven_end == 0;
    if ((walk->bytes[i] | 0x20) == '{') {
        if (!walk->trie->includes_containers) return 0;
        max_length = JSON_SCAN_MAX_CONTAINER_LENGTH;
        end = container_end(walk, i);
    } else {
        end = scalar_end(walk->bytes, walk->count, i);
    }
    return end > 0 && (!is_limited || end - i <= max_length) ? end : 0;
}

// An open object of the trie, and a bit for each of its names that was found.
struct open_object {
    const struct json_scan_trie_object *object;
    uint32_t found_names;
};

// Skips the rest of the innermost objects in which all names are found, and
// reduces `*depth` by their number. The caller has verified that the innermost
// object is one of them. Returns the offset after them, or 0 if the element is
// not regular.
static inline size_t skip_found(const struct trie_walk *walk,
                                const struct open_object *open, size_t *depth,
                                size_t i) {
    size_t rest = *depth - 1;
    while (rest > 0 &&
           open[rest - 1].found_names == open[rest - 1].object->all_names) {
        rest--;
    }
    if (rest == 0 && walk->proven_end > 0) {
        *depth = 0;
        return walk->proven_end;
    }
    struct json_scan_container scan = json_scan_container_opened(false);
    scan.depth = (int64_t)(*depth - rest);
    scan.objects = scan.depth;
    const size_t count = walk->count;
    i += walk->kernels->container_end(walk->bytes + i, count - i, &scan);
    *depth = rest;
    return i < count && scan.objects == 0 ? i + 1 : 0;
}

// Scans the element whose opening brace is at `i`. Writes its values from
// `values` on, sets `*end` to the end of the values, and adds a bit to
// `*opened` for each object of the trie that the element contains. Returns the
// offset after the element, or 0 if it is not regular.
static inline size_t scan_object(const struct trie_walk *walk, size_t i,
                                 uint32_t element,
                                 struct json_scan_value *values,
                                 struct json_scan_value **end,
                                 uint32_t *opened) {
    const uint8_t *bytes = walk->bytes;
    const size_t count = walk->count;
    const struct json_scan_trie *trie = walk->trie;
    // The open objects, from the outermost to the innermost. There are never
    // more than in the trie, because a target has a higher index.
    struct open_object open[JSON_SCAN_MAX_OBJECTS];
    size_t depth = 1;
    open[0].object = trie->objects;
    open[0].found_names = 0;
    uint32_t objects = 1;
    i++;
    // At this point the scan is after the brace or a comma of the innermost
    // object.
    for (;;) {
        struct open_object *inner = open + depth - 1;
        const struct json_scan_names *names = inner->object->names;
        struct json_scan_members members = json_scan_members_opened();
        size_t used;
        enum json_scan_outcome outcome;
        do {
            outcome = walk->kernels->members(bytes + i, count - i, &members,
                                             names, &used);
            i += used;
            if (outcome != JSON_SCAN_STOPPED) break;
            // The key has escapes and may equal a name.
            if (members.name == names->count) return 0;
            // Only the first member of each name is reported.
        } while (inner->found_names >> members.name & 1);
        if (outcome == JSON_SCAN_STOPPED) {
            inner->found_names |= (uint32_t)1 << members.name;
            i = skip_blanks(bytes, count, i);
            if (i == count || bytes[i] != ':') return 0;
            i = skip_blanks(bytes, count, i + 1);
            if (i == count) return 0;
            uint32_t branch = inner->object->first + (uint32_t)members.name;
            size_t target = trie->targets[branch];
            if (target > 0 && bytes[i] == '{') {
                if (trie->includes_containers) {
                    *values++ =
                        (struct json_scan_value){i, i, element, branch};
                }
                i++;
                open[depth].object = trie->objects + target;
                open[depth].found_names = 0;
                depth++;
                objects |= (uint32_t)1 << target;
                continue;
            }
            if (target > 0 && !trie->includes_containers) return 0;
            size_t start = i;
            i = value_end(walk, i);
            if (i == 0) return 0;
            *values++ = (struct json_scan_value){start, i, element, branch};
        } else {
            if (outcome != JSON_SCAN_ENDED) return 0;
            depth--;
        }
        // After a value, or at the end of an object.
        for (;;) {
            if (depth > 0 &&
                open[depth - 1].found_names ==
                    open[depth - 1].object->all_names) {
                i = skip_found(walk, open, &depth, i);
                if (i == 0) return 0;
            }
            if (depth == 0) {
                *end = values;
                *opened |= objects;
                return i;
            }
            i = skip_blanks(bytes, count, i);
            if (i == count) return 0;
            if (bytes[i] == ',') break;
            if (bytes[i] != '}') return 0;
            i++;
            depth--;
        }
        i++;
    }
}

size_t json_scan_elements(const uint8_t *bytes, size_t count,
                          const struct json_scan_trie *trie,
                          struct json_scan_value *values, size_t capacity,
                          struct json_scan_found *found) {
    return json_scan_elements_by(json_scan_structure_version(0), bytes, count,
                                 trie, values, capacity, found);
}

size_t json_scan_elements_by(const struct json_scan_structure_version *kernels,
                             const uint8_t *bytes, size_t count,
                             const struct json_scan_trie *trie,
                             struct json_scan_value *values, size_t capacity,
                             struct json_scan_found *found) {
    const struct trie_walk walk = {kernels, bytes, count, trie, 0};
    struct json_scan_value *next = values;
    size_t used = 0;
    uint32_t elements = 0, opened = 0;
    while (capacity - (size_t)(next - values) >= trie->branches &&
           elements < UINT32_MAX) {
        size_t start = skip_blanks(bytes, count, used);
        if (start == count || bytes[start] != ',') break;
        start = skip_blanks(bytes, count, start + 1);
        if (start == count || bytes[start] != '{') break;
        size_t end = scan_object(&walk, start, elements, next, &next, &opened);
        if (end == 0) break;
        elements++;
        used = end;
    }
    *found = (struct json_scan_found){(size_t)(next - values), elements,
                                      opened};
    return used;
}

size_t json_scan_record(const uint8_t *bytes, size_t count,
                        const struct json_scan_trie *trie,
                        struct json_scan_value *values,
                        struct json_scan_found *found) {
    *found = (struct json_scan_found){0, 0, 0};
    if (count == 0 || bytes[0] != '{') return 0;
    const struct trie_walk walk = {json_scan_structure_version(0), bytes,
                                   count, trie, 0};
    struct json_scan_value *next = values;
    uint32_t opened = 0;
    size_t end = scan_object(&walk, 0, 0, next, &next, &opened);
    if (end > 0) {
        *found =
            (struct json_scan_found){(size_t)(next - values), 1, opened};
    }
    return end;
}

// The number of bytes in a block of the kernels.
enum { BLOCK = 64 };

size_t json_scan_lines(const uint8_t *bytes, size_t count,
                       const struct json_scan_trie *trie,
                       struct json_scan_forms *forms,
                       struct json_scan_value *values, size_t capacity,
                       struct json_scan_line *lines, size_t max_lines,
                       struct json_scan_found *found) {
    return json_scan_lines_by(json_scan_structure_version(0), bytes, count,
                              trie, forms, values, capacity, lines, max_lines,
                              found);
}

// Scans the line at `start`. Returns the offset after its line feed, or 0 if
// the line is not complete or not regular.
static size_t scan_line(const struct json_scan_structure_version *kernels,
                        const uint8_t *bytes, size_t count, size_t start,
                        const struct json_scan_trie *trie, uint32_t element,
                        struct json_scan_value *values,
                        struct json_scan_value **after, uint32_t *opened) {
    const size_t feed = start + json_scan_newline(bytes + start, count - start);
    if (feed == count) return 0;
    // Includes bytes after the line, so that all of it is in whole blocks.
    const struct trie_walk walk = {
        kernels, bytes, count - feed < BLOCK ? count : feed + BLOCK, trie,
        feed};
    size_t end = scan_object(&walk, start, element, values, after, opened);
    bool is_regular =
        end > 0 && end <= feed && skip_blanks(bytes, feed, end) == feed;
    return is_regular ? feed + 1 : 0;
}

size_t json_scan_lines_by(const struct json_scan_structure_version *kernels,
                          const uint8_t *bytes, size_t count,
                          const struct json_scan_trie *trie,
                          struct json_scan_forms *forms,
                          struct json_scan_value *values, size_t capacity,
                          struct json_scan_line *lines, size_t max_lines,
                          struct json_scan_found *found) {
    struct json_scan_value *next = values;
    size_t used = 0;
    uint32_t number = 0, opened = 0;
    if (!trie->includes_containers) forms = NULL;
    while (capacity - (size_t)(next - values) >= trie->branches &&
           number < max_lines && used < count && bytes[used] == '{') {
        struct json_scan_value *after = next;
        struct json_scan_line *line = lines + number;
        line->opened = 0;
        size_t end = 0;
        if (forms) {
            end = json_follow_forms(kernels, bytes, count, used, forms, number,
                                    next, &after, &line->opened);
        }
        if (end == 0) {
            end = scan_line(kernels, bytes, count, used, trie, number, next,
                            &after, &line->opened);
            if (end == 0) break;
            if (forms) {
                json_learn_form(kernels, bytes, used, end - 1, trie, next,
                                after, line->opened, forms);
            }
        }
        next = after;
        opened |= line->opened;
        number++;
        used = line->end = end;
    }
    *found =
        (struct json_scan_found){(size_t)(next - values), number, opened};
    return used;
}
