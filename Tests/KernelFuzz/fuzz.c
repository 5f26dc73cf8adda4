// fuzz [ROUNDS [SEED]]: compares every version of every kernel of CJSONScan
// with the portable one, on random input that begins or ends at an inaccessible
// page; the input of kernels with state is also cut at every offset. Exits with
// status 1 at the first difference, and prints the arguments that reproduce it.

#include "../../Sources/CJSONScan/include/json_validation.h"
#include "../../Sources/CJSONScan/structure_kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static uint64_t seed, generator;
static size_t checks;

static uint64_t next(void) {
    generator += 0x9E3779B97F4A7C15;
    uint64_t mixed = generator;
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB;
    return mixed ^ mixed >> 31;
}

static size_t below(size_t limit) { return (size_t)(next() % limit); }

static void require(bool holds, const char *kernel, const char *version,
                    const uint8_t *bytes, size_t count, const char *what) {
    checks++;
    if (holds) return;
    fprintf(stderr, "%s, %s: %s; seed %llu, %zu bytes:", kernel, version, what,
            (unsigned long long)seed, count);
    for (size_t i = 0; i < count; i++) fprintf(stderr, " %02x", bytes[i]);
    fprintf(stderr, "\n");
    exit(1);
}

// ---- Input

enum { MAX_LENGTH = 1000 };

// A block between two inaccessible pages.
static uint8_t *block;
static size_t block_size;

static void make_block(void) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    block_size = page;
    uint8_t *pages = mmap(NULL, 3 * page, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED || mprotect(pages, page, PROT_NONE) ||
        mprotect(pages + 2 * page, page, PROT_NONE)) {
        perror("fuzz");
        exit(2);
    }
    block = pages + page;
}

// Parts of structure, and similar text.
static const char *const chunks[] = {
    "{",    "}",       "[",   "]",    ",",          ":",  "\"",   "\\",
    "\\\"", "\\\\",    " ",   "\n",   "\t",         "\r", "1",    "true",
    "\"a\"", "\"\\\\\"", "{}",  "[]",   "\"a\":1",    "abcdefghij", "\xC3\xA9",
    "\x7B\xDB", "\xFB\xFD", "\"{[,:]}\"", "\"a\":{\"b\":[1,2]},", "[1,[2,{}],3],",
    "\x0B", "\xF0\x9F\x98\x80", "\xED\xA0\x80", "\\ud8", "\\uDE00", "        ",
    "\"k\\u0065y\":", ",\"a\\/b\" :", "\"\":", ",\"k\\\\u\":",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\",
};

static const char *some_key(void) {
    static const char *const keys[] = {
        "\"key\":",  "\"k\\\"{\" : ",   "\"\":",      "\"a\" :",
        "\"\\u0061\":", "\"\\\\u0061\":", "\"other\":", "\"te\":",
    };
    return keys[below(sizeof keys / sizeof *keys)];
}

// Whether every value is undamaged.
static bool is_sound;

// Writes a value that is nearly JSON: mostly valid, so that scans go far.
static size_t put_value(uint8_t *out, size_t room, int depth) {
    uint8_t text[MAX_LENGTH + 64];
    size_t count = 0;
#define PUT(string)                                                           \
    do {                                                                      \
        const char *string_ = (string);                                       \
        size_t length_ = strlen(string_);                                     \
        if (count + length_ > MAX_LENGTH) break;                              \
        memcpy(text + count, string_, length_);                               \
        count += length_;                                                     \
    } while (0)
    switch (depth > 4 ? below(3) : below(5)) {
    case 0: PUT("12.5e3"); break;
    case 1: PUT("\"te\\\"x,t:\\\\\""); break;
    case 2: PUT("null"); break;
    default: {
        bool is_object = below(2);
        PUT(is_object ? "{" : "[");
        size_t children = below(5);
        for (size_t i = 0; i < children; i++) {
            if (i) PUT(",");
            if (below(3) == 0) PUT(" \n");
            if (is_object) PUT(some_key());
            count += put_value(text + count, MAX_LENGTH - count, depth + 1);
            if (below(5) == 0) PUT("  ");
            if (!is_sound && below(60) == 0) PUT(chunks[below(8)]);
        }
        PUT(!is_sound && below(40) == 0 ? "]" : is_object ? "}" : "]");
    }
    }
    if (count > room) count = room;
    memcpy(out, text, count);
    return count;
}

static size_t put_random(uint8_t *out, size_t room) {
    size_t wanted = below(4) ? below(200) : below(room + 1);
    if (wanted > room) wanted = room;
    size_t count = 0;
    unsigned kind = (unsigned)below(4);
    if (kind == 0) {
        uint64_t ceiling = below(2) ? 256 : 128;
        for (; count < wanted; count++) out[count] = (uint8_t)(next() % ceiling);
        return count;
    }
    while (count < wanted) {
        if (kind == 1) {
            // As a member in half of the cases.
            const char *key = below(2) ? some_key() : "";
            if (strlen(key) > wanted - count) key = "";
            memcpy(out + count, key, strlen(key));
            count += strlen(key);
            count += put_value(out + count, wanted - count, 0);
            if (count < wanted) out[count++] = below(9) ? ',' : '\n';
            continue;
        }
        const char *chunk =
            chunks[below(kind == 2 ? sizeof chunks / sizeof *chunks : 12)];
        size_t length = strlen(chunk);
        if (length > wanted - count) length = wanted - count;
        memcpy(out + count, chunk, length);
        count += length;
    }
    return count;
}

// Copies the input to the end or to the start of the block, so that the
// inaccessible pages detect accesses outside of its exact size.
static const uint8_t *place(const uint8_t *text, size_t count, bool at_end) {
    uint8_t *start = at_end ? block + block_size - count : block;
    memcpy(start, text, count);
    return start;
}

// ---- Kernels without state

static void check_plain(const struct json_scan_structure_version *version,
                        const uint8_t *bytes, size_t count) {
    const char *name = version->name;
#define SAME(kernel)                                                          \
    require(version->kernel(bytes, count) ==                                  \
                json_scan_##kernel##_portable(bytes, count),                  \
            #kernel, name, bytes, count, "differs")
    SAME(text);
    SAME(whitespace);
    SAME(count_newlines);
    for (int start = 0; start < 2; start++) {
        bool escaped = start, reference = start;
        size_t end = version->string_end(bytes, count, &escaped);
        size_t expected = json_scan_string_end_portable(bytes, count, &reference);
        require(end == expected && escaped == reference, "string_end", name,
                bytes, count, "differs");
    }
}

static void check_common(const uint8_t *bytes, size_t count) {
    const char *name = json_scan_kernel();
    size_t first = count;
    for (size_t i = count; i > 0; i--) {
        if (bytes[i - 1] == '\n') first = i - 1;
    }
    require(json_scan_newline(bytes, count) == first, "newline", name, bytes,
            count, "differs");
    size_t surrogate = count;
    for (size_t i = 0; i + 4 <= count && surrogate == count; i++) {
        if (memcmp(bytes + i, "\\u", 2) == 0 && (bytes[i + 2] | 0x20) == 'd' &&
            bytes[i + 3] && strchr("89abcdefABCDEF", bytes[i + 3])) {
            surrogate = i;
        }
    }
    require(json_scan_surrogate(bytes, count) == surrogate, "surrogate", name,
            bytes, count, "differs");
    require(json_scan_whitespace(bytes, count) ==
                json_scan_whitespace_portable(bytes, count),
            "whitespace", name, bytes, count, "differs");
    size_t last = count;
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] == '\n') last = i;
    }
    require(json_scan_last_newline(bytes, count) == last, "last_newline", name,
            bytes, count, "differs");
}

// ---- Containers

static bool same_container(struct json_scan_container a,
                           struct json_scan_container b) {
    return a.depth == b.depth && a.objects == b.objects &&
           a.in_string == b.in_string && a.escaped == b.escaped;
}

static void check_container(const struct json_scan_structure_version *version,
                            const struct json_scan_structure_version *portable,
                            const uint8_t *bytes, size_t count, bool cuts) {
    struct json_scan_container opened = json_scan_container_opened(below(2));
    opened.depth += (int64_t)below(3);
    opened.in_string = below(8) == 0;
    opened.escaped = below(8) == 0;
    struct json_scan_container expected = opened;
    size_t end = portable->container_end(bytes, count, &expected);
    for (size_t cut = cuts ? 0 : count; cut <= count; cut++) {
        struct json_scan_container state = opened;
        size_t found = version->container_end(bytes, cut, &state);
        if (found == cut) {
            found += version->container_end(bytes + cut, count - cut, &state);
        }
        require(found == end, "container_end", version->name, bytes, count,
                "another end");
        require(same_container(state, expected), "container_end",
                version->name, bytes, count, "another state");
    }
}

// ---- Children

enum { MAX_CHILDREN = MAX_LENGTH + 8 };

struct answer {
    enum json_scan_outcome outcome;
    uint64_t offset;
    size_t found;
    struct json_scan_child children[MAX_CHILDREN];
};

// Reads in two windows, with room for `room` children at a time.
static void read_children(const struct json_scan_structure_version *version,
                          const uint8_t *bytes, size_t count, size_t cut,
                          size_t capacity, struct json_scan_children state,
                          struct answer *answer) {
    answer->found = 0;
    size_t end = cut;
    for (;;) {
        size_t found = 0;
        size_t used = (size_t)state.offset;
        // Room of exactly the size, so that writes after it are detected.
        struct json_scan_child *room = malloc(capacity * sizeof *room);
        answer->outcome = version->children(bytes + used, end - used, &state,
                                            room, capacity, &found);
        require(found <= capacity && state.offset <= end, "children",
                version->name, bytes, count, "too many");
        memcpy(answer->children + answer->found, room, found * sizeof *room);
        free(room);
        answer->found += found;
        if (answer->outcome == JSON_SCAN_FULL) {
            require(found == capacity, "children", version->name, bytes, count,
                    "full and is not");
            if (state.offset < end) continue;
            answer->outcome = JSON_SCAN_MORE;
        }
        if (answer->outcome == JSON_SCAN_MORE) {
            require(state.offset == end, "children", version->name, bytes,
                    count, "bytes left");
            if (end < count) {
                end = count;
                continue;
            }
        }
        break;
    }
    answer->offset = state.offset;
}

static void check_children(const struct json_scan_structure_version *version,
                           const struct json_scan_structure_version *portable,
                           const uint8_t *bytes, size_t count, bool cuts) {
    static struct answer expected, answer;
    struct json_scan_children opened = json_scan_children_opened(below(2));
    read_children(portable, bytes, count, count, MAX_CHILDREN, opened,
                  &expected);
    for (size_t cut = cuts ? 0 : count; cut <= count; cut++) {
        size_t capacity = below(2) ? MAX_CHILDREN : 1 + below(4);
        read_children(version, bytes, count, cut, capacity, opened, &answer);
        require(answer.outcome == expected.outcome &&
                    answer.offset == expected.offset,
                "children", version->name, bytes, count, "another end");
        require(answer.found == expected.found, "children", version->name,
                bytes, count, "another number");
        for (size_t i = 0; i < answer.found; i++) {
            require(memcmp(&answer.children[i], &expected.children[i],
                           sizeof answer.children[i]) == 0,
                    "children", version->name, bytes, count, "another child");
        }
    }
}

// ---- Levels

#include "levels.h"

// ---- Names

// Some names, in separate memory, and their lengths.
struct made_names {
    struct json_scan_names prepared;
    uint8_t text[JSON_SCAN_MAX_NAMES * 64];
    size_t lengths[JSON_SCAN_MAX_NAMES];
};

static void make_names(struct made_names *made) {
    static const char *const known[] = {
        "key", "a", "", "te", "k\"{", "a/b", "\xC3\xA9", "te\\\"x,t:\\\\", "b",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    };
    size_t names = 1 + below(below(3) ? 4 : 9), used = 0;
    for (size_t n = 0; n < names; n++) {
        const char *name = known[below(sizeof known / sizeof *known)];
        made->lengths[n] = strlen(name);
        memcpy(made->text + used, name, made->lengths[n]);
        used += made->lengths[n];
    }
    require(json_scan_names_prepare(&made->prepared, made->text, made->lengths,
                                    names),
            "names", "portable", NULL, 0, "refused");
}

// ---- Tape words

enum { MAX_WORDS = 2 * MAX_LENGTH + JSON_TAPE_MAX_BLOCK_WORDS + 8 };
static const uint64_t untouched = 0x5EED5EED5EED5EED;

static bool is_proven(const uint8_t *bytes, size_t count) {
    uint64_t kinds[MAX_LENGTH / 64 + 1];
    struct json_validation validation;
    const struct json_validation_limits limits = {UINT64_MAX, UINT64_MAX, UINT64_MAX,
                                             UINT64_MAX, UINT64_MAX};
    json_validation_begin(&validation, false, limits, kinds, sizeof kinds / 8);
    return json_validation_run(&validation, bytes, count) == count &&
           json_validation_finish(&validation);
}

// Writes the tape words of a text, with more and more room for them.
static bool make_tape_words(const struct json_scan_structure_version *version,
                            const uint8_t *bytes, size_t count, uint64_t *words,
                            struct json_scan_tape_words *state, bool in_steps) {
    *state = (struct json_scan_tape_words){.words = 4};
    for (size_t i = 0; i < MAX_WORDS; i++) words[i] = untouched;
    size_t room = in_steps ? 4 + below(200) : MAX_WORDS - 4;
    for (;;) {
        bool is_done =
            version->tape_words(bytes, count, 1000, state, words, room);
        require(state->words <= room, "words", version->name, bytes, count,
                "too many");
        for (size_t i = room; i < MAX_WORDS; i++) {
            require(words[i] == untouched, "words", version->name, bytes,
                    count, "written behind the room");
        }
        if (is_done || state->used >= count || room == MAX_WORDS - 4) {
            return is_done;
        }
        room += 1 + below(200);
        if (room > MAX_WORDS - 4) room = MAX_WORDS - 4;
    }
}

static void check_tape_words(const struct json_scan_structure_version *version,
                             const struct json_scan_structure_version *portable,
                             const uint8_t *bytes, size_t count) {
    static uint64_t expected[MAX_WORDS], words[MAX_WORDS];
    struct json_scan_tape_words wanted, state;
    while (count > 0 && json_is_blank(bytes[count - 1])) count--;
    while (count > 0 && json_is_blank(bytes[0])) bytes++, count--;
    bool is_done =
        make_tape_words(version, bytes, count, words, &state, below(2));
    for (size_t i = 4; is_done && i < state.words; i++) {
        unsigned kind = words[i] & 15;
        if (kind != JSON_TAPE_ARRAY_START && kind != JSON_TAPE_OBJECT_START) {
            continue;
        }
        uint64_t end = words[++i] & 0xFFFFFFFF;
        require(end > i && end <= state.words, "words", version->name, bytes,
                count, "a link leads elsewhere");
    }
    if (count == 0 || !is_proven(bytes, count)) return;
    bool is_sure =
        make_tape_words(portable, bytes, count, expected, &wanted, false);
    require(is_done && is_sure && state.words == wanted.words, "words",
            version->name, bytes, count, "not all");
    require(memcmp(words + 4, expected + 4, (wanted.words - 4) * 8) == 0,
            "words", version->name, bytes, count, "another word");

    // The same value several times, as records on lines are.
    static uint8_t several[MAX_LENGTH];
    size_t length = 0;
    while (length + count + 70 <= MAX_LENGTH) {
        memcpy(several + length, bytes, count);
        length += count;
        if (below(5) == 0) break;
        for (size_t blanks = 1 + below(below(4) ? 2 : 66); blanks > 0; blanks--) {
            several[length++] = '\n';
        }
    }
    is_done =
        make_tape_words(version, several, length, words, &state, below(2));
    is_sure =
        make_tape_words(portable, several, length, expected, &wanted, false);
    require(is_done && is_sure && state.words == wanted.words, "words",
            version->name, several, length, "not all of several");
    require(memcmp(words + 4, expected + 4, (wanted.words - 4) * 8) == 0,
            "words", version->name, several, length, "another word of several");
}

// ---- Index

// Room for the longest text, which has one value in each byte at most.
enum { INDEX_ROOM = 17 * MAX_LENGTH + JSON_SCAN_INDEX_EXTRA };

struct made_index {
    struct json_scan_index index;
    uint32_t entries[INDEX_ROOM], rows[INDEX_ROOM];
};

static struct json_scan_index *
make_index(struct made_index *made,
           const struct json_scan_structure_version *version,
           const uint8_t *bytes, size_t count, bool is_lines) {
    made->index = (struct json_scan_index){
        .entries = made->entries, .rows = is_lines ? made->rows : NULL};
    version->index(bytes, count, &made->index);
    return &made->index;
}

// Compares the index of any bytes with the portable one.
static void check_index(const struct json_scan_structure_version *version,
                        const struct json_scan_structure_version *portable,
                        const uint8_t *bytes, size_t count, bool is_lines) {
    static struct made_index made, other;
    const struct json_scan_index *index =
        make_index(&made, version, bytes, count, is_lines);
    const struct json_scan_index *wanted =
        make_index(&other, portable, bytes, count, is_lines);
    require(index->count == wanted->count &&
                index->row_count == wanted->row_count &&
                index->has_backslash == wanted->has_backslash &&
                memcmp(made.entries, other.entries,
                       index->count * sizeof *made.entries) == 0 &&
                memcmp(made.rows, other.rows,
                       index->row_count * sizeof *made.rows) == 0,
            "index", version->name, bytes, count, "another one");
}

// Whether the bytes begin with one of the names and a closing quote.
static bool begins_with_name(const struct json_scan_names *names,
                             const uint8_t *key, size_t room) {
    for (size_t n = 0; n < names->count; n++) {
        const struct json_scan_name *name = &names->names[n];
        if (name->count < room && key[name->count] == '"' &&
            !memchr(name->bytes, '\\', name->count) &&
            memcmp(key, name->bytes, name->count) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_bracket(uint8_t byte) {
    return byte == '{' || byte == '}' || byte == '[' || byte == ']';
}

// Walks along the index of the first bytes, in containers of random kinds, and
// checks where it stops. Any bytes may be walked.
static void check_next(const struct json_scan_structure_version *version,
                       const uint8_t *bytes, size_t count) {
    static struct made_index made;
    static struct made_names names;
    make_names(&names);
    struct json_scan_index *index =
        make_index(&made, version, bytes, count - below(count / 2 + 1), false);
    const uint32_t shift = index->count > 0 ? below(index->entries[0] + 1) : 0;
    while (index->at < index->count) {
        const size_t before = index->at;
        const bool in_object = below(2), skips = below(2);
        const enum json_scan_token token = json_scan_next(
            bytes + shift, shift, index, &names.prepared, in_object, skips);
        require(index->at >= before && index->at <= index->count, "next",
                version->name, bytes, count, "outside");
        for (size_t at = before; at < index->at && !skips;
             at += in_object ? 2 : 1) {
            const uint8_t *key = bytes + made.entries[at];
            const uint8_t *value = bytes + made.entries[at + in_object];
            require(!is_bracket(*key) && (*value | 0x20) != '{', "next",
                    version->name, bytes, count, "passed a bracket");
            require(!in_object ||
                        !begins_with_name(&names.prepared, key + 1,
                                          (size_t)(value - key) - 1),
                    "next", version->name, bytes, count, "passed a name");
        }
        if (token == JSON_SCAN_TOKEN_NONE) {
            require(index->count - index->at < 3, "next", version->name, bytes,
                    count, "nothing");
            break;
        }
        const uint8_t byte = bytes[made.entries[index->at]];
        require((token == JSON_SCAN_TOKEN_BRACKET) == (byte != '"') &&
                    (in_object || is_bracket(byte)),
                "next", version->name, bytes, count, "another token");
        index->at++;
    }
}

// ---- Tries

// A generated trie, with the bytes of its names.
struct made_trie {
    struct json_scan_trie trie;
    size_t objects;
    struct json_scan_names lists[JSON_SCAN_MAX_OBJECTS];
    uint8_t names[JSON_SCAN_MAX_OBJECTS][256];
};

// Generates similar names, and uses some of them in each object.
static void make_trie(struct made_trie *made) {
    static const char *const known[] = {
        "a", "key", "ke", "keys", "", "te", "k/y", "\xC3\xA9", "z",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    };
    enum { KNOWN = sizeof known / sizeof *known };
    memset(made, 0, sizeof *made);
    made->trie.includes_containers = below(2);
    size_t most = 1 + below(below(3) ? 4 : JSON_SCAN_MAX_OBJECTS);
    made->objects = 1;
    for (size_t n = 0; n < made->objects; n++) {
        struct json_scan_trie *trie = &made->trie;
        size_t room = JSON_SCAN_MAX_BRANCHES - trie->branches -
                      (made->objects - n - 1);
        size_t wanted = 1 + below(below(4) ? 3 : KNOWN);
        size_t first = below(KNOWN), names = 0, used = 0;
        size_t lengths[KNOWN];
        for (; names < wanted && names < room; names++) {
            // No duplicates.
            const char *name = known[(first + names * 3) % KNOWN];
            lengths[names] = strlen(name);
            memcpy(made->names[n] + used, name, lengths[names]);
            used += lengths[names];
            // Every later object must have room for a name.
            if (made->objects < most && room > names + 2 && below(2)) {
                trie->targets[trie->branches + names] =
                    (uint8_t)made->objects++;
                room--;
            }
        }
        require(json_scan_names_prepare(&made->lists[n], made->names[n],
                                        lengths, names),
                "elements", "portable", NULL, 0, "refused");
        trie->objects[n].names = &made->lists[n];
        trie->objects[n].first = (uint32_t)trie->branches;
        trie->objects[n].all_names = (uint32_t)(((uint64_t)1 << names) - 1);
        trie->branches += names;
    }
}

// Elements of an array, most of them of the usual form. The values to which the
// trie leads are recorded with their offsets.
struct made_elements {
    uint8_t text[16 * MAX_LENGTH];
    size_t count, elements, found;
    size_t ends[MAX_LENGTH];
    // The number of the first element of an unusual form, or 0.
    size_t unusual;
    struct json_scan_value scalars[MAX_LENGTH];
};

static void add(struct made_elements *made, const char *text) {
    size_t length = strlen(text);
    memcpy(made->text + made->count, text, length);
    made->count += length;
}

static void add_blank(struct made_elements *made) {
    static const char *const blanks[] = {"", "", "", " ", "\n  "};
    add(made, blanks[below(5)]);
}

static void add_value(struct made_elements *made, const struct made_trie *trie,
                      size_t target, uint32_t branch);

// Adds an object of the trie, with members of its names and others in any
// order.
static void add_object(struct made_elements *made, const struct made_trie *trie,
                       size_t number) {
    static const char *const others[] = {
        "\"other\":[{\"a\":{\"key\":1}}]", "\"keyy\":2",
        "\"x\":\"\\\\\\\"a\\\":{\"", "\"aa\":{\"a\":[]}",
        // It may be one of the names, if one has a short escape.
        "\"\\\"\":null",
    };
    const struct json_scan_trie_object *object = &trie->trie.objects[number];
    const struct json_scan_names *names = object->names;
    bool was_added[JSON_SCAN_MAX_BRANCHES] = {false};
    size_t left = below(8) ? names->count : below(names->count + 1);
    size_t members = left + below(3);
    bool is_first = true;
    add(made, "{");
    while (members-- > 0) {
        if (!is_first) add(made, ",");
        is_first = false;
        add_blank(made);
        if (below(3) == 0) {
            add(made, others[below(names->has_short_escapes ? 4 : 5)]);
            continue;
        }
        // Often a duplicate of an earlier one: only the first counts.
        size_t n = below(names->count);
        const struct json_scan_name *name = &names->names[n];
        add(made, "\"");
        memcpy(made->text + made->count, name->bytes, name->count);
        made->count += name->count;
        add(made, "\"");
        add_blank(made);
        add(made, ":");
        add_blank(made);
        if (was_added[n]) {
            add(made, below(2) ? "[1,{\"key\":2}]" : "\"a\"");
        } else {
            uint32_t branch = object->first + (uint32_t)n;
            add_value(made, trie, trie->trie.targets[branch], branch);
        }
        was_added[n] = true;
        add_blank(made);
    }
    add(made, "}");
}

static void add_value(struct made_elements *made, const struct made_trie *trie,
                      size_t target, uint32_t branch) {
    static const char *const scalars[] = {
        "12", "\"\"", "null", "\"a\\\"}]\"", "-0.5e+7", "\"\\\\\"", "false",
    };
    static const char *const containers[] = {
        "[]", "[{}]", "[\"]\",[1]]", "{}", "{\"a\":1}", "{\"key\":\"}\"}",
    };
    // Only a trie that takes all values takes a value of another form.
    bool is_other = below(trie->trie.includes_containers ? 4 : 100) == 0;
    if (is_other && !trie->trie.includes_containers && made->unusual == 0) {
        made->unusual = made->elements + 1;
    }
    if (target > 0 && !is_other && !trie->trie.includes_containers) {
        add_object(made, trie, target);
        return;
    }
    struct json_scan_value *value = made->scalars + made->found++;
    value->element = (uint32_t)made->elements;
    value->branch = branch;
    value->start = made->count;
    if (target > 0 && !is_other) {
        value->end = made->count;
        add_object(made, trie, target);
        return;
    }
    if (target > 0) {
        // Not an object: the trie would lead into it.
        add(made, below(2) ? scalars[below(7)] : containers[below(3)]);
    } else {
        add(made, is_other ? containers[below(6)] : scalars[below(7)]);
    }
    value->end = made->count;
}

static void make_elements(struct made_elements *made,
                          const struct made_trie *trie) {
    made->count = made->found = made->elements = made->unusual = 0;
    size_t elements = 1 + below(8);
    while (made->elements < elements && made->count < MAX_LENGTH) {
        add_blank(made);
        add(made, ",");
        add_blank(made);
        add_object(made, trie, 0);
        made->ends[made->elements++] = made->count;
    }
}

static void check_elements(const struct json_scan_structure_version *version,
                           const struct json_scan_structure_version *portable) {
    static struct made_trie trie;
    static struct made_elements made;
    make_trie(&trie);
    do make_elements(&made, &trie);
    while (made.count > block_size);
    size_t cut = below(3) ? made.count : below(made.count + 1);
    bool is_damaged = below(3) == 0;
    if (is_damaged) {
        for (size_t n = 1 + below(3); n > 0; n--) {
            made.text[below(made.count)] = (uint8_t)("{}[]\",:\\ u0"[below(11)]);
        }
    }
    const uint8_t *bytes = place(made.text, cut, below(2));
    static struct json_scan_value values[2 * MAX_LENGTH];
    static struct made_index made_index;
    size_t branches = trie.trie.branches;
    size_t capacity = branches + (below(4) ? MAX_LENGTH - branches : below(4));
    check_index(version, portable, bytes, cut, false);
    struct json_scan_index *index =
        make_index(&made_index, version, bytes, cut, false);
    // Each call continues where the last one stopped for lack of room.
    size_t used = 0, elements = 0, count = 0, step;
    uint32_t opened = 0;
    do {
        struct json_scan_found found;
        struct json_scan_value *next = values + count;
        step = json_scan_elements(bytes + used, (uint32_t)used, index,
                                  &trie.trie, next, capacity, &found);
        require(found.values <= capacity && step <= cut - used, "elements",
                version->name, bytes, cut, "more than there is");
        for (size_t n = 0; n < found.values; n++) {
            next[n].start += used;
            next[n].end += used;
            next[n].element += (uint32_t)elements;
            require(next[n].start <= next[n].end && next[n].end <= cut,
                    "elements", version->name, bytes, cut, "a wrong range");
        }
        used += step;
        elements += found.elements;
        count += found.values;
        opened |= found.opened;
    } while (step > 0 && count <= MAX_LENGTH);
    if (is_damaged) return;
    // The generated values must be found, up to the cut or the first unusual
    // element.
    size_t whole = 0, within = 0;
    while (whole < made.elements && made.ends[whole] <= cut &&
           whole + 1 != made.unusual) {
        while (within < made.found && made.scalars[within].element == whole) {
            within++;
        }
        whole++;
    }
    require(elements == whole && count == within &&
                (opened & 1) == (whole > 0) &&
                used == (whole ? made.ends[whole - 1] : 0) &&
                memcmp(values, made.scalars, within * sizeof *values) == 0,
            "elements", version->name, bytes, cut, "not what was made");
    require(whole == made.elements || whole + 1 == made.unusual ||
                index->is_cut,
            "elements", version->name, bytes, cut, "the reason of the stop");
}

// Checks the same elements as lines.
static void check_lines(const struct json_scan_structure_version *version,
                        const struct json_scan_structure_version *portable) {
    static struct made_trie trie;
    static struct made_elements made;
    static uint8_t text[17 * MAX_LENGTH];
    make_trie(&trie);
    do make_elements(&made, &trie);
    while (made.count + 5 * made.elements > block_size);
    size_t ends[MAX_LENGTH];
    size_t count = 0, moved = 0;
    for (size_t n = 0; n < made.elements; n++) {
        size_t from = n ? made.ends[n - 1] : 0, start = count;
        while (made.text[from] != '{') from++;
        for (size_t i = from; i < made.ends[n]; i++) {
            text[count++] = made.text[i] == '\n' ? ' ' : made.text[i];
        }
        count += (size_t)sprintf((char *)text + count, "%s\n",
                                 below(4) ? "" : below(2) ? "\r" : " \t ");
        ends[n] = count;
        for (; moved < made.found && made.scalars[moved].element == n; moved++) {
            made.scalars[moved].start += start - from;
            made.scalars[moved].end += start - from;
        }
    }
    size_t cut = below(3) ? count : below(count + 1);
    bool is_damaged = below(3) == 0;
    if (is_damaged) {
        for (size_t n = 1 + below(3); n > 0; n--) {
            text[below(count)] = (uint8_t)("{}[]\",:\\ u0\n"[below(12)]);
        }
    }
    const uint8_t *bytes = place(text, cut, below(2));
    static struct json_scan_value values[2 * MAX_LENGTH];
    static struct made_index made_index;
    struct json_scan_line lines[8];
    size_t branches = trie.trie.branches, most = 1 + below(8);
    size_t capacity = branches + (below(4) ? MAX_LENGTH - branches : below(4));
    check_index(version, portable, bytes, cut, true);
    struct json_scan_index *index =
        make_index(&made_index, version, bytes, cut, true);
    // The generated values must be found, up to the cut or the first unusual
    // element, in calls that each continue where the last one stopped.
    size_t used = 0, whole = 0, within = 0, step;
    do {
        struct json_scan_found found;
        step = json_scan_lines(bytes + used, cut - used, (uint32_t)used, index,
                               &trie.trie, values, capacity, lines, most,
                               &found);
        require(found.values <= capacity && found.elements <= most &&
                    step <= cut - used &&
                    step == (found.elements ? lines[found.elements - 1].end : 0),
                "lines", version->name, bytes, cut, "more than there is");
        uint32_t opened = 0;
        for (size_t n = 0, v = 0; n < found.elements; n++) {
            opened |= lines[n].opened;
            for (; v < found.values && values[v].element == n; v++) {
                require(values[v].start <= values[v].end &&
                            values[v].end < lines[n].end,
                        "lines", version->name, bytes, cut, "a wrong range");
                if (is_damaged || (made.unusual && whole >= made.unusual - 1)) {
                    continue;
                }
                const struct json_scan_value *made_value =
                    made.scalars + within++;
                require(within <= made.found && made_value->element == whole &&
                            made_value->branch == values[v].branch &&
                            made_value->start == values[v].start + used &&
                            made_value->end == values[v].end + used,
                        "lines", version->name, bytes, cut, "another value");
            }
            require(is_damaged || lines[n].end + used == ends[whole], "lines",
                    version->name, bytes, cut, "another line");
            whole++;
        }
        require(opened == found.opened, "lines", version->name, bytes, cut,
                "other objects");
        used += step;
    } while (step > 0);
    if (is_damaged) return;
    // What follows the last name of a line may be unusual.
    const bool is_unusual = made.unusual && whole >= made.unusual - 1;
    require(is_unusual || whole == made.elements || ends[whole] > cut, "lines",
            version->name, bytes, cut, "a line is left");
    require(is_unusual || index->is_cut == (used < cut), "lines",
            version->name, bytes, cut, "the reason of the stop");
}

// ---- Compact text

// The rules of json_scan_compact in another implementation: it copies the
// tokens of strings, and everything else without white space.
static size_t compacted(const uint8_t *bytes, size_t count, bool keeps_lines,
                        uint8_t *to) {
    size_t written = 0, line = 0;
    for (size_t i = 0; i < count;) {
        if (bytes[i] == '\\') {
            to[written++] = bytes[i++];
            if (i < count && (bytes[i] == '"' || bytes[i] == '\\')) {
                to[written++] = bytes[i++];
            }
        } else if (bytes[i] == '"') {
            size_t end = i + 1;
            while (end < count && bytes[end] != '"') {
                end += bytes[end] == '\\' && end + 1 < count ? 2 : 1;
            }
            end = end < count ? end + 1 : count;
            memcpy(to + written, bytes + i, end - i);
            written += end - i;
            i = end;
        } else if (bytes[i] == '\n' && keeps_lines) {
            if (written > line) to[written++] = bytes[i];
            line = written;
            i++;
        } else if (strchr(" \n\r\t", bytes[i]) && bytes[i] != 0) {
            i++;
        } else {
            to[written++] = bytes[i++];
        }
    }
    return written;
}

static void check_compact(const struct json_scan_structure_version *version,
                          const struct json_scan_structure_version *portable,
                          const uint8_t *bytes, size_t count) {
    static uint8_t text[MAX_LENGTH + 1], other[MAX_LENGTH + 1],
        plain[MAX_LENGTH + 1];
    struct json_scan_compact state = {.keeps_lines = below(2)};
    struct json_scan_compact wanted = state;
    const bool lines = state.keeps_lines;
    size_t length = portable->compact(bytes, count, other, &wanted);
    require(length == compacted(bytes, count, lines, plain) &&
                memcmp(other, plain, length) == 0,
            "compact", "portable", bytes, count, "not what it says");
    memset(text, 0xEE, sizeof text);
    size_t written = version->compact(bytes, count, text, &state);
    require(text[count] == 0xEE, "compact", version->name, bytes, count,
            "no room for that");
    require(written == length && memcmp(text, other, length) == 0, "compact",
            version->name, bytes, count, "another text");
    require(state.in_string == wanted.in_string &&
                state.escaped == wanted.escaped &&
                state.in_line == wanted.in_line,
            "compact", version->name, bytes, count, "another state");
    // In two chunks.
    size_t cut = below(count + 1);
    state = (struct json_scan_compact){.keeps_lines = lines};
    written = version->compact(bytes, cut, text, &state);
    written += version->compact(bytes + cut, count - cut, text + written,
                                &state);
    require(written == length && memcmp(text, other, length) == 0, "compact",
            version->name, bytes, count, "another text in chunks");
}

static void check_unescape(const struct json_scan_structure_version *version,
                           const struct json_scan_structure_version *portable,
                           const uint8_t *bytes, size_t count) {
    static uint8_t text[MAX_LENGTH + 1], other[MAX_LENGTH + 1];
    size_t used, wanted_used;
    size_t length = portable->unescape(bytes, count, other, &wanted_used);
    memset(text, 0xEE, sizeof text);
    size_t written = version->unescape(bytes, count, text, &used);
    require(text[count] == 0xEE, "unescape", version->name, bytes, count,
            "no room for that");
    require(used == wanted_used && written == length &&
                memcmp(text, other, length) == 0,
            "unescape", version->name, bytes, count, "another text");
    // It stops only at the end, and at a backslash before another byte.
    require(used == count ||
                (bytes[used] == '\\' &&
                 (used + 1 == count || !strchr("\"\\/", bytes[used + 1]) ||
                  bytes[used + 1] == 0)),
            "unescape", version->name, bytes, count, "too little");
}

// ---- Layout

enum { LAYOUT_ROOM = 1 << 18 };

// Returns the whole layout of a text, in chunks and with little room at first.
static size_t laid_out(const struct json_scan_structure_version *version,
                       const uint8_t *bytes, size_t count, bool in_chunks,
                       const struct json_scan_style *style, uint64_t depth,
                       struct json_scan_layout *state, uint8_t *to) {
    size_t used = 0, written = 0;
    *state = (struct json_scan_layout){.depth = depth};
    while (used < count) {
        size_t chunk = in_chunks ? 1 + below(count - used) : count - used;
        size_t room = in_chunks ? below(30000) : LAYOUT_ROOM - written;
        if (room > LAYOUT_ROOM - written) room = LAYOUT_ROOM - written;
        uint8_t behind = to[written + room];
        size_t more = version->layout(bytes + used, chunk, style, state,
                                      to + written, room);
        require(more <= room && state->used <= chunk &&
                    to[written + room] == behind,
                "layout", version->name, bytes, count, "no room for that");
        written += more;
        used += state->used;
        if (!in_chunks && state->used < chunk) break;
    }
    return written;
}

static void check_layout(const struct json_scan_structure_version *version,
                         const struct json_scan_structure_version *portable,
                         const uint8_t *damaged, size_t damaged_count) {
    static uint8_t text[4 * MAX_LENGTH], one[LAYOUT_ROOM + 1],
        other[LAYOUT_ROOM + 1];
    struct json_scan_style style = {
        .indent = below(2) ? ' ' : '\t',
        .width = (uint8_t)below(JSON_SCAN_MAX_WIDTH + 1),
        .levels = (uint32_t)(below(2) ? 512 : below(4)),
        .is_wide = below(2),
        .has_lines = below(2),
    };
    size_t count = 0;
    is_sound = true;
    do {
        size_t length;
        // Generates a text that fits as a whole.
        do length = put_value(text + count, 2 * MAX_LENGTH, 0);
        while (length >= MAX_LENGTH);
        for (size_t i = 0; style.has_lines && i < length; i++) {
            if (text[count + i] == '\n') text[count + i] = ' ';
        }
        count += length;
        text[count++] = '\n';
    } while (style.has_lines && count < 2 * MAX_LENGTH && below(5));
    is_sound = false;
    struct json_scan_layout state, wanted;
    const uint8_t *bytes = place(text, count, below(2));
    size_t length = laid_out(portable, bytes, count, false, &style, 0, &wanted,
                             other);
    for (int in_chunks = 0; in_chunks < 2; in_chunks++) {
        size_t written = laid_out(version, bytes, count, in_chunks, &style, 0,
                                  &state, one);
        require(written == length && memcmp(one, other, length) == 0,
                "layout", version->name, bytes, count, "another text");
        require(state.depth == wanted.depth &&
                    state.in_string == wanted.in_string &&
                    state.escaped == wanted.escaped &&
                    state.after_comma == wanted.after_comma &&
                    state.after_open == wanted.after_open &&
                    state.in_line == wanted.in_line,
                "layout", version->name, bytes, count, "another state");
    }
    // The tokens equal those of the text.
    struct json_scan_compact plain = {false, false, style.has_lines, false};
    if (style.has_lines && style.levels > 0) return;
    struct json_scan_compact made = plain;
    static uint8_t tokens[4 * MAX_LENGTH], found[LAYOUT_ROOM];
    size_t wanted_tokens = portable->compact(bytes, count, tokens, &plain);
    size_t found_tokens = portable->compact(other, length, found, &made);
    require(found_tokens == wanted_tokens &&
                memcmp(tokens, found, found_tokens) == 0,
            "layout", "portable", bytes, count, "other tokens");
    // Invalid JSON must stay in bounds.
    bytes = place(damaged, damaged_count, below(2));
    laid_out(version, bytes, damaged_count, false, &style, below(600), &state,
             one);
}

// ---- Literals: byte strings that a kernel searches for

static void check_literals(const struct json_scan_structure_version *version,
                           const struct json_scan_structure_version *portable,
                           const uint8_t *bytes, size_t count) {
    uint8_t text[JSON_SCAN_MAX_LITERALS * 40];
    size_t lengths[JSON_SCAN_MAX_LITERALS];
    size_t literals = below(3) ? 1 : 1 + below(JSON_SCAN_MAX_LITERALS);
    size_t used = 0;
    for (size_t i = 0; i < literals; i++) {
        size_t length = 1 + below(below(4) ? 8 : 40);
        // Taken from the input, similar to it, or random.
        if (count >= length && below(3)) {
            memcpy(text + used, bytes + below(count - length + 1), length);
            if (below(2)) text[used + below(length)] ^= (uint8_t)(1u << below(8));
        } else {
            for (size_t k = 0; k < length; k++) {
                text[used + k] = (uint8_t)("ab\"\\{,"[below(6)]);
            }
        }
        lengths[i] = length;
        used += length;
    }
    struct json_scan_literals prepared;
    require(json_scan_literals_prepare(&prepared, text, lengths, literals),
            "literals", version->name, bytes, count, "refused");
    size_t which = SIZE_MAX, expected_which = SIZE_MAX;
    size_t found = version->literals_find(bytes, count, &prepared, &which);
    size_t expected =
        portable->literals_find(bytes, count, &prepared, &expected_which);
    require(found == expected, "literals", version->name, bytes, count,
            "another place");
    require(which == expected_which, "literals", version->name, bytes, count,
            "another literal");
    size_t start = below(count + 1);
    which = expected_which = SIZE_MAX;
    found = json_scan_literals_linear(bytes, count, start, &prepared, &which);
    require(found == json_scan_literals_from(bytes, count, start, &prepared,
                                             &expected_which) &&
                which == expected_which,
            "literals", "linear", bytes, count, "another place");
    found = portable->literals_find(bytes, count, &prepared, &which);
    // Checks the reference itself: it returns the first offset, and the first
    // literal there.
    for (size_t i = 0; i < literals; i++) {
        size_t length = lengths[i];
        const uint8_t *literal = text + prepared.starts[i];
        size_t most = found < count ? found : count;
        for (size_t at = 0; at <= most && at + length <= count; at++) {
            bool matches = memcmp(bytes + at, literal, length) == 0;
            require(!matches || (at == found && which <= i), "literals",
                    "portable", bytes, count, "not the first");
        }
    }
}

// Many near matches: the search switches its algorithm.
static void check_impatience(const struct json_scan_structure_version *version) {
    size_t count = 400000;
    uint8_t *bytes = malloc(count);
    memset(bytes, 'a', count);
    uint8_t text[300];
    memset(text, 'a', sizeof text);
    text[150] = 'b';
    for (size_t literals = 1; literals <= 3; literals += 2) {
        size_t lengths[3] = {100, 100, 100};
        if (literals == 1) lengths[0] = 300;
        struct json_scan_literals prepared;
        text[50] = literals == 1 ? 'a' : 'c';
        text[250] = literals == 1 ? 'a' : 'd';
        require(json_scan_literals_prepare(&prepared, text, lengths, literals),
                "literals", version->name, NULL, 0, "refused");
        for (int matches = 0; matches < 2; matches++) {
            size_t place = count - 500;
            memset(bytes, 'a', count);
            // Everything except the byte that distinguishes them.
            if (literals == 1) memset(bytes + 7, 'b', 1);
            if (matches) {
                memcpy(bytes + place, text + prepared.starts[literals - 1],
                       lengths[literals - 1]);
            }
            size_t which = SIZE_MAX;
            size_t found =
                version->literals_find(bytes, count, &prepared, &which);
            require(found == (matches ? place : count) &&
                        which == (matches ? literals - 1 : SIZE_MAX),
                    "literals", version->name, NULL, 0, "impatience");
        }
    }
    free(bytes);
}

int main(int argc, char **argv) {
    size_t rounds = argc > 1 ? (size_t)strtoull(argv[1], NULL, 10) : 20000;
    seed = argc > 2 ? strtoull(argv[2], NULL, 10) : (uint64_t)getpid();
    generator = seed;
    make_block();
    size_t versions = 0;
    while (json_scan_structure_version(versions)) versions++;
    const struct json_scan_structure_version *portable =
        json_scan_structure_version(versions - 1);
    printf("fuzz: %s;", json_scan_kernel());
    for (size_t v = 0; v < versions; v++) {
        printf(" %s", json_scan_structure_version(v)->name);
        check_impatience(json_scan_structure_version(v));
    }
    printf("; %zu rounds, seed %llu\n", rounds, (unsigned long long)seed);
    fflush(stdout);
    static uint8_t text[MAX_LENGTH];
    for (size_t round = 0; round < rounds; round++) {
        size_t count = put_random(text, MAX_LENGTH);
        const uint8_t *bytes = place(text, count, round & 1);
        check_common(bytes, count);
        bool cuts = count < 300 && below(8) == 0;
        for (size_t v = 0; v < versions; v++) {
            const struct json_scan_structure_version *version =
                json_scan_structure_version(v);
            check_plain(version, bytes, count);
            check_container(version, portable, bytes, count, cuts);
            check_children(version, portable, bytes, count, cuts);
            check_tape_words(version, portable, bytes, count);
            check_index(version, portable, bytes, count, below(2));
            check_next(version, bytes, count);
            check_compact(version, portable, bytes, count);
            check_unescape(version, portable, bytes, count);
            check_literals(version, portable, bytes, count);
        }
        if (round % 16 == 0) check_levels(portable);
        for (size_t v = 0; v < versions; v++) {
            check_layout(json_scan_structure_version(v), portable, text, count);
        }
        for (size_t v = 0; v < versions; v++) {
            check_elements(json_scan_structure_version(v), portable);
            check_lines(json_scan_structure_version(v), portable);
        }
    }
    printf("fuzz: %zu answers, all the same\n", checks);
    return 0;
}
