// Walks along the index of a text: follows a trie of names into regular objects,
// or stops at each bracket and name (json_scan_structure.h).

#include "structure_kernels.h"

#include "json_scan.h"

struct walk {
    const uint8_t *bytes;
    const uint32_t *entries;
    // The offset of `bytes` in the indexed text.
    uint32_t shift;
    // The number of the entry at which the walk ends.
    size_t end;
    const struct json_scan_trie *trie;
    bool has_backslash;
    // The element is a line. It ends with the line feed at `end`.
    bool is_line;
};

// Where a walk is: the number of the next entry.
struct place {
    size_t at;
    // The element goes on behind the last entry.
    bool is_cut;
};

static inline size_t offset_of(const struct walk *walk, size_t entry) {
    return (size_t)(walk->entries[entry] - walk->shift);
}

static inline bool has_entries(const struct walk *walk, struct place *place,
                               size_t count) {
    if (__builtin_expect(walk->end - place->at >= count, 1)) return true;
    place->is_cut = true;
    return false;
}

// Skips the rest of the innermost containers, `depth` of them. Returns the
// offset after the last one, or 0 if its end is not in the index.
static inline size_t skip_containers(const struct walk *walk,
                                     struct place *place, size_t depth) {
    for (size_t at = place->at; at < walk->end; at++) {
        const size_t offset = offset_of(walk, at);
        // Brackets and braces differ only in bit 5.
        const uint8_t byte = walk->bytes[offset] | 0x20;
        depth += byte == '{';
        if (byte == '}' && --depth == 0) {
            place->at = at + 1;
            return offset + 1;
        }
    }
    place->is_cut = true;
    return 0;
}

// Compares the key at `quote` with the names; the value follows at `value`.
// Returns the number of the name that it equals, the number of names if it may
// equal one, or one more.
static inline size_t name_of_key(const uint8_t *bytes, size_t quote,
                                 size_t value, bool has_backslash,
                                 const struct json_scan_names *names) {
    const size_t count = names->count;
    const uint8_t *key = bytes + quote + 1;
    // The key, its closing quote and the colon.
    const size_t room = value - quote - 1;
    if (!names->has_short_escapes) {
        for (size_t n = 0; n < count; n++) {
            const struct json_scan_name *name = &names->names[n];
            if (key[0] != name->first || name->count >= room ||
                key[name->count] != '"') {
                continue;
            }
            size_t k = 1;
            while (k < name->count && name->bytes[k] == key[k]) k++;
            if (k >= name->count) return n;
        }
        if (!has_backslash || room < names->min_escaped_length + 2 ||
            !memchr(key, '\\', room)) {
            return count + 1;
        }
    }
    return json_name_of_escaped_key(key, room, names);
}

// Skips the value at the next entry. Returns the offset after it, or 0 if it is
// not regular or its end is not in the index.
static inline size_t skip_value(const struct walk *walk, struct place *place) {
    const size_t start = offset_of(walk, place->at++);
    size_t max_length = JSON_SCAN_MAX_SCALAR_LENGTH;
    size_t end;
    if ((walk->bytes[start] | 0x20) == '{') {
        if (!walk->trie->includes_containers) return 0;
        max_length = JSON_SCAN_MAX_CONTAINER_LENGTH;
        end = skip_containers(walk, place, 1);
    } else {
        if (!has_entries(walk, place, 1)) return 0;
        end = offset_of(walk, place->at);
        while (end - 1 > start && (walk->bytes[end - 1] == ',' ||
                                   json_is_blank(walk->bytes[end - 1]))) {
            end--;
        }
    }
    return end > 0 && (walk->is_line || end - start <= max_length) ? end : 0;
}

// An open object of the trie, and a bit for each of its names that was found.
struct open_object {
    const struct json_scan_trie_object *object;
    uint32_t found_names;
};

// Walks the element whose opening brace is the next entry. Writes its values
// from `*values` on and sets that to their end, and adds a bit to `*opened` for
// each object of the trie that the element contains. Returns the offset after
// the element, or of the line feed of its line, or 0 if it is not regular.
//
// The parameters are copies, which no write of a value can change.
static inline size_t walk_object(const struct walk walk, struct place *reached,
                                 uint32_t element,
                                 struct json_scan_value **values,
                                 uint32_t *opened) {
    const uint8_t *const bytes = walk.bytes;
    const struct json_scan_trie *const trie = walk.trie;
    const bool includes_containers = trie->includes_containers;
    struct place place = {reached->at + 1, false};
    struct json_scan_value *next = *values;
    // The open objects, from the outermost to the innermost. There are never
    // more than in the trie, because a target has a higher index.
    struct open_object open[JSON_SCAN_MAX_OBJECTS];
    size_t depth = 1, end = 0;
    open[0] = (struct open_object){trie->objects, 0};
    uint32_t objects = 1;
    do {
        struct open_object *inner = open + depth - 1;
        if (!has_entries(&walk, &place, 1)) break;
        const size_t key = offset_of(&walk, place.at);
        if (bytes[key] != '"') {
            if (bytes[key] != '}') break;
            place.at++;
            end = key + 1;
            depth--;
            continue;
        }
        if (!has_entries(&walk, &place, 2)) break;
        const size_t start = offset_of(&walk, ++place.at);
        const struct json_scan_names *names = inner->object->names;
        const size_t name =
            name_of_key(bytes, key, start, walk.has_backslash, names);
        if (name == names->count) break;
        // Only the first member of each name is reported.
        if (name > names->count || inner->found_names >> name & 1) {
            place.at++;
            if ((bytes[start] | 0x20) == '{' &&
                !skip_containers(&walk, &place, 1)) {
                break;
            }
            continue;
        }
        inner->found_names |= (uint32_t)1 << name;
        const uint32_t branch = inner->object->first + (uint32_t)name;
        const size_t target = trie->targets[branch];
        if (target > 0) {
            if (bytes[start] == '{') {
                if (includes_containers) {
                    *next++ = (struct json_scan_value){start, start, element,
                                                       branch};
                }
                place.at++;
                open[depth++] =
                    (struct open_object){trie->objects + target, 0};
                objects |= (uint32_t)1 << target;
                continue;
            }
            if (!includes_containers) break;
        }
        const size_t after = skip_value(&walk, &place);
        if (after == 0) break;
        *next++ = (struct json_scan_value){start, after, element, branch};
        // The rest of the innermost objects in which all names are found.
        size_t rest = depth;
        while (rest > 0 && open[rest - 1].found_names ==
                               open[rest - 1].object->all_names) {
            rest--;
        }
        if (rest == depth) continue;
        if (rest == 0 && walk.is_line) {
            place.at = walk.end;
            end = offset_of(&walk, walk.end);
        } else {
            end = skip_containers(&walk, &place, depth - rest);
            if (end == 0) break;
        }
        depth = rest;
    } while (depth > 0);
    reached->is_cut = place.is_cut;
    if (depth > 0) return 0;
    reached->at = place.at;
    *values = next;
    *opened |= objects;
    return end;
}

static struct walk walk_along(const uint8_t *bytes, uint32_t shift,
                              const struct json_scan_index *index,
                              const struct json_scan_trie *trie, bool is_line) {
    return (struct walk){
        .bytes = bytes,
        .entries = index->entries,
        .shift = shift,
        .end = index->count,
        .trie = trie,
        .has_backslash = index->has_backslash,
        .is_line = is_line,
    };
}

enum json_scan_token json_scan_next(const uint8_t *bytes, uint32_t shift,
                                    struct json_scan_index *index,
                                    const struct json_scan_names *names,
                                    bool in_object, bool skips_containers) {
    const struct walk walk = walk_along(bytes, shift, index, NULL, false);
    enum json_scan_token token = JSON_SCAN_TOKEN_NONE;
    struct place place = {index->at, false};
    if (in_object) {
        while (place.at < walk.end) {
            const size_t key = offset_of(&walk, place.at);
            if (bytes[key] != '"') {
                token = JSON_SCAN_TOKEN_BRACKET;
                break;
            }
            if (walk.end - place.at < 2) break;
            const size_t value = offset_of(&walk, place.at + 1);
            if (name_of_key(bytes, key, value, walk.has_backslash, names) <=
                names->count) {
                token = JSON_SCAN_TOKEN_NAME;
                break;
            }
            if ((bytes[value] | 0x20) == '{') {
                struct place inside = {place.at + 2, false};
                if (skips_containers && skip_containers(&walk, &inside, 1)) {
                    place = inside;
                    continue;
                }
                token = JSON_SCAN_TOKEN_MEMBER;
                break;
            }
            // The last scalar may go on behind the index.
            if (walk.end - place.at < 3) break;
            place.at += 2;
        }
    } else {
        while (place.at < walk.end) {
            const uint8_t byte = bytes[offset_of(&walk, place.at)] | 0x20;
            if (byte == '{' || byte == '}') {
                token = JSON_SCAN_TOKEN_BRACKET;
                break;
            }
            place.at++;
        }
        // The last scalar may go on behind the index.
        if (token == JSON_SCAN_TOKEN_NONE && place.at > index->at) place.at--;
    }
    index->at = place.at;
    return token;
}

size_t json_scan_elements(const uint8_t *bytes, uint32_t shift,
                          struct json_scan_index *index,
                          const struct json_scan_trie *trie,
                          struct json_scan_value *values, size_t capacity,
                          struct json_scan_found *found) {
    const struct walk walk = walk_along(bytes, shift, index, trie, false);
    struct json_scan_value *next = values;
    size_t used = 0;
    uint32_t elements = 0, opened = 0;
    index->is_cut = false;
    while (capacity - (size_t)(next - values) >= trie->branches &&
           elements < UINT32_MAX) {
        json_scan_index_seek(index, walk.shift + used);
        index->is_cut = index->at == index->count;
        if (index->is_cut || bytes[offset_of(&walk, index->at)] != '{') break;
        struct place place = {index->at, false};
        const size_t end = walk_object(walk, &place, elements, &next, &opened);
        index->is_cut = place.is_cut;
        if (end == 0) break;
        index->at = place.at;
        elements++;
        used = end;
    }
    *found = (struct json_scan_found){(size_t)(next - values), elements,
                                      opened};
    return used;
}

size_t json_scan_record(const uint8_t *bytes, struct json_scan_index *index,
                        const struct json_scan_trie *trie,
                        struct json_scan_value *values,
                        struct json_scan_found *found) {
    struct json_scan_value *next = values;
    struct place place = {0, false};
    uint32_t opened = 0;
    size_t end = 0;
    if (index->count > 0 && bytes[index->entries[0]] == '{') {
        end = walk_object(walk_along(bytes, 0, index, trie, false), &place, 0,
                          &next, &opened);
    }
    index->is_cut = place.is_cut;
    *found = (struct json_scan_found){(size_t)(next - values), end > 0, opened};
    return end;
}

size_t json_scan_lines(const uint8_t *bytes, size_t count, uint32_t shift,
                       struct json_scan_index *index,
                       const struct json_scan_trie *trie,
                       struct json_scan_value *values, size_t capacity,
                       struct json_scan_line *lines, size_t max_lines,
                       struct json_scan_found *found) {
    struct walk walk = walk_along(bytes, shift, index, trie, true);
    struct json_scan_value *next = values;
    size_t used = 0;
    uint32_t number = 0, opened = 0;
    index->is_cut = false;
    while (capacity - (size_t)(next - values) >= trie->branches &&
           number < max_lines && used < count && bytes[used] == '{') {
        json_scan_index_seek(index, walk.shift + used);
        while (index->row < index->row_count &&
               index->rows[index->row] < index->at) {
            index->row++;
        }
        index->is_cut = index->row == index->row_count;
        if (index->is_cut) break;
        walk.end = index->rows[index->row];
        const size_t feed = offset_of(&walk, walk.end);
        if (feed >= count) break;
        struct json_scan_line *line = lines + number;
        struct json_scan_value *after = next;
        struct place place = {index->at, false};
        line->opened = 0;
        // Only white space may follow the object.
        if (!walk_object(walk, &place, number, &after, &line->opened) ||
            place.at != walk.end) {
            break;
        }
        index->at = walk.end + 1;
        next = after;
        opened |= line->opened;
        number++;
        used = line->end = feed + 1;
    }
    *found =
        (struct json_scan_found){(size_t)(next - values), number, opened};
    return used;
}
