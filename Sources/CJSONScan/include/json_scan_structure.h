// Scans over the structure of JSON text: they find the ends of containers and
// the ranges of their children. They inspect only quotes, backslashes,
// brackets, commas and colons, and do not validate the bytes between these.
//
// As in json_scan.h, every function reads only [bytes, bytes + count),
// allocates nothing, and may be called from any thread. The caller owns the
// state that is kept from one window to the next.

#ifndef JSON_SCAN_STRUCTURE_H
#define JSON_SCAN_STRUCTURE_H

#include "json_levels.h"
#include "json_scan_compact.h"
#include "json_scan_index.h"
#include "json_scan_layout.h"
#include "json_scan_tape_words.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The state of a scan inside a container. The text can be divided anywhere.
struct json_scan_container {
    /// The number of open containers, and the number of objects among them. A
    /// closing bracket is counted by its own kind, so `objects` is not 0 at the
    /// end of the outermost container if a `]` has closed an object.
    int64_t depth;
    int64_t objects;
    bool in_string;
    /// A backslash before the next byte escapes it.
    bool escaped;
};

/// Returns the state after an opening bracket.
static inline struct json_scan_container
json_scan_container_opened(bool is_object) {
    struct json_scan_container state = {1, is_object ? 1 : 0, false, false};
    return state;
}

/// Returns the offset of the bracket that closes the outermost container, or
/// `count` if the input does not contain it. Ignores brackets in strings.
///
/// When the bracket is found, `depth` becomes 0 and the flags become false;
/// `objects` is 0 if the text contains as many `}` as `{`, and so as many `]`
/// as `[`. Their order is not verified: `[{]}` is accepted. A backslash escapes
/// a quote even outside of strings, where valid JSON has no backslash.
///
/// Cost: one pass up to that bracket.
/// Never reads outside [bytes, bytes + count).
size_t json_scan_container_end(const uint8_t *bytes, size_t count,
                               struct json_scan_container *state);

/// One member or element. Offsets count from the start of the scan.
struct json_scan_child {
    /// The key without its quotes, as written in the source. 0 in arrays.
    uint64_t key_start, key_end;
    /// The value: from its first byte up to the comma or bracket after it,
    /// including trailing white space.
    uint64_t value_start, value_end;
};

/// The expected next token. Private to the kernels.
enum json_scan_phase {
    JSON_SCAN_PHASE_KEY,
    JSON_SCAN_PHASE_IN_KEY,
    JSON_SCAN_PHASE_COLON,
    JSON_SCAN_PHASE_BEFORE_VALUE,
    JSON_SCAN_PHASE_VALUE,
};

/// The state of a scan over the children of a container.
struct json_scan_children {
    struct json_scan_container container;
    /// The number of bytes used.
    uint64_t offset;
    /// The known offsets of the incomplete child.
    struct json_scan_child child;
    uint8_t phase;
    bool is_object;
    /// No child has ended.
    bool is_first;
    /// The notes of the validation of the text, if there are any
    /// (json_levels.h). With them the scan reads only the blocks in which a
    /// child may end, and detects malformed text only there.
    struct json_levels levels;
    /// The offset of the container's first byte relative to the first block
    /// that has a note.
    int64_t levels_offset;
    /// The number of open containers, including this one.
    uint64_t depth;
};

/// The reason for which a call ended.
enum json_scan_outcome {
    /// All bytes are used, and the container continues.
    JSON_SCAN_MORE,
    /// The array of children is full. The scan can continue after the last one.
    JSON_SCAN_FULL,
    /// The closing bracket is the last byte used.
    JSON_SCAN_ENDED,
    /// The text is not JSON. `offset` is the offset of the invalid byte. The
    /// scan cannot continue.
    JSON_SCAN_MALFORMED,
};

/// Returns the state after an opening bracket.
static inline struct json_scan_children
json_scan_children_opened(bool is_object) {
    struct json_scan_children state = {
        json_scan_container_opened(is_object),
        0,
        {0, 0, 0, 0},
        is_object ? JSON_SCAN_PHASE_KEY : JSON_SCAN_PHASE_BEFORE_VALUE,
        is_object,
        true,
        {0, 0},
        0,
        0,
    };
    return state;
}

/// Finds the children of one container. Skips the contents of nested
/// containers.
///
/// Writes up to `capacity` children, which must be at least 1, and sets
/// `*found` to their number. Malformed are: a missing key, a missing colon, a
/// colon after a value, a missing value before a comma, a comma before the
/// closing bracket, and a value or the container itself whose opening and
/// closing brackets of one kind differ in number. The content of a value is not
/// validated otherwise.
///
/// Cost: one pass over the bytes that are used.
/// Never reads outside [bytes, bytes + count).
enum json_scan_outcome json_scan_children(const uint8_t *bytes, size_t count,
                                          struct json_scan_children *state,
                                          struct json_scan_child *children,
                                          size_t capacity, size_t *found);

// ---- Names

enum {
    /// The maximum number of names: a scan compares each key with each of them.
    JSON_SCAN_MAX_NAMES = 64,
};

/// A name of a member, without escapes.
struct json_scan_name {
    const uint8_t *bytes;
    size_t count;
    /// The first byte after the opening quote.
    uint8_t first;
};

/// Names of members that one scan finds together. Prepared once, and only read
/// after that.
struct json_scan_names {
    size_t count;
    /// The lengths of a key that equals one of the names: the maximum with any
    /// escapes, and the minimum with at least one `\u`.
    size_t max_key_length, min_escaped_length;
    /// A name can be written with an escape other than `\u`.
    bool has_short_escapes;
    struct json_scan_name names[JSON_SCAN_MAX_NAMES];
};

/// Prepares a scan for `count` names with the given lengths, whose bytes are
/// contiguous. The caller owns the bytes and must keep them. Returns false if
/// there are no names or too many.
bool json_scan_names_prepare(struct json_scan_names *names,
                             const uint8_t *bytes, const size_t *lengths,
                             size_t count);

// ---- Tries of names

enum {
    /// The maximum number of objects of a trie, and of names in all of them.
    JSON_SCAN_MAX_OBJECTS = 16,
    JSON_SCAN_MAX_BRANCHES = 32,
    /// The maximum length in bytes of a regular value, except in lines that are
    /// validated: their texts are passed, however long they are.
    JSON_SCAN_MAX_SCALAR_LENGTH = 1 << 12,
    JSON_SCAN_MAX_CONTAINER_LENGTH = 1 << 16,
};

/// An object of a trie, with the names to find in it.
struct json_scan_trie_object {
    const struct json_scan_names *names;
    /// The number of its first name among the names of all objects.
    uint32_t first;
    /// A bit for each of its names, from bit 0 on.
    uint32_t all_names;
};

/// A trie of names: names to find in an object, names to find in the values of
/// some of these members, and so on. Its leaves are values. The path `.a.b` is
/// a trie of two objects with one name each.
struct json_scan_trie {
    /// The number of names.
    size_t branches;
    /// Every value to which a name leads is written: arrays and objects at
    /// leaves, inner objects, and other values where the trie has an inner
    /// object. If false, an element is regular only if the values at its leaves
    /// are scalars.
    bool includes_containers;
    /// The first object is the element. No list contains a name twice.
    struct json_scan_trie_object objects[JSON_SCAN_MAX_OBJECTS];
    /// For each name: the index of the object that is its value, or 0 if the
    /// name is a leaf. An object has a higher index than the one that contains
    /// its name.
    uint8_t targets[JSON_SCAN_MAX_BRANCHES];
};

/// A value to which a name leads. Offsets count from the first byte of the
/// call.
struct json_scan_value {
    /// The range of the value. For an inner object of the trie both are the
    /// offset of its brace, and the values that were found in it follow.
    size_t start, end;
    /// The index of the element that contains the value, counted from 0.
    uint32_t element;
    /// The number of its name.
    uint32_t branch;
};

/// The result of a call.
struct json_scan_found {
    size_t values, elements;
    /// Bit n: one of the elements contains object n of the trie.
    uint32_t opened;
};

/// Scans the elements of an array as long as they are regular objects, and
/// follows a trie of names in each. The text must be validated JSON. `bytes`
/// are those from `shift` bytes after the indexed text's first one on; the
/// first of them is the white space or the comma after an element. Returns
/// the number of bytes used, up to the end of an element.
///
/// An element is *regular* if it is complete in the index, and has no key
/// with an escape that may equal a name of the trie. If the trie does not
/// include containers, the element must also have objects at the inner names
/// and scalars at the leaves. Only the first member of each name is reported.
///
/// Writes up to `capacity` values, in document order; `capacity` must be at
/// least `branches`. The scan also stops when less room than that is left.
///
/// Cost: one step for each entry that is used, and for each of the element
/// after them. Never reads outside of the indexed text, whatever it is.
size_t json_scan_elements(const uint8_t *bytes, uint32_t shift,
                          struct json_scan_index *index,
                          const struct json_scan_trie *trie,
                          struct json_scan_value *values, size_t capacity,
                          struct json_scan_found *found);

/// Scans the object with which an indexed text begins, like json_scan_elements.
/// Returns the offset after it, or 0 if it is not regular; `values` must have
/// room for `branches` values.
size_t json_scan_record(const uint8_t *bytes, struct json_scan_index *index,
                        const struct json_scan_trie *trie,
                        struct json_scan_value *values,
                        struct json_scan_found *found);

/// A line that was scanned.
struct json_scan_line {
    /// The offset after its line feed. The line begins at the end of the one
    /// before.
    size_t end;
    /// Bit n: the line contains object n of the trie.
    uint32_t opened;
};

/// Scans lines like json_scan_elements. Each line must be validated JSON, and
/// is an element. A line is regular if its first byte opens a regular object
/// and only white space follows the object. Returns the number of bytes used,
/// all in complete lines.
///
/// `bytes` are `count` bytes from `shift` bytes after the indexed text's first
/// one on. Writes up to `max_lines` lines, and stops when that number is
/// reached.
///
/// Cost: one step for each entry that is used.
size_t json_scan_lines(const uint8_t *bytes, size_t count, uint32_t shift,
                       struct json_scan_index *index,
                       const struct json_scan_trie *trie,
                       struct json_scan_value *values, size_t capacity,
                       struct json_scan_line *lines, size_t max_lines,
                       struct json_scan_found *found);

// ---- Tokens

/// A token at which a walk through a container stops.
enum json_scan_token {
    /// None is complete in the index: the next token is a scalar, or a key
    /// whose value is one, at the end of the index.
    JSON_SCAN_TOKEN_NONE,
    /// A closing bracket, or in an array also an opening one.
    JSON_SCAN_TOKEN_BRACKET,
    /// The key of an array or object that is not skipped, or goes on behind the
    /// index.
    JSON_SCAN_TOKEN_MEMBER,
    /// A key that equals a name, or has an escape and may equal one.
    JSON_SCAN_TOKEN_NAME,
};

/// Walks on in one container of validated text to the next token at which a
/// walk must stop. Passes scalars, and in an object other members too if it
/// `skips_containers`. `index->at` becomes the number of the token's entry;
/// the value of a key is the next entry. `bytes` are those from `shift` bytes
/// after the indexed text's first one on.
///
/// Cost: one step for each entry.
/// Never reads outside of the indexed text, whatever it is.
enum json_scan_token json_scan_next(const uint8_t *bytes, uint32_t shift,
                                    struct json_scan_index *index,
                                    const struct json_scan_names *names,
                                    bool in_object, bool skips_containers);

// ---- Literals

enum { JSON_SCAN_MAX_LITERALS = 64 };

/// Byte strings (*literals*) that one search finds together: texts to look for,
/// not the JSON literals `true`, `false` and `null`. Prepared once, and only
/// read after that.
struct json_scan_literals {
    /// The bytes of all literals, contiguous. The caller owns them.
    const uint8_t *bytes;
    size_t count;
    size_t starts[JSON_SCAN_MAX_LITERALS + 1];
    /// The length of the shortest literal.
    size_t min_length;
    /// For one literal: the offsets of its two rarest bytes.
    size_t rare_offsets[2];
    /// For several literals: the offset and number of the bytes that are
    /// compared first, and for each value of a half byte the set of groups,
    /// out of eight groups of literals, that have it there.
    size_t fingerprint_start, fingerprint_count;
    uint8_t groups_by_low[3][16], groups_by_high[3][16];
};

/// Prepares a search for `count` literals with the given lengths, whose bytes
/// are contiguous. Returns false if there are no literals or too many, or if
/// one is empty.
bool json_scan_literals_prepare(struct json_scan_literals *literals,
                                const uint8_t *bytes, const size_t *lengths,
                                size_t count);

/// Returns the lowest offset at which a complete literal occurs, or `count`.
/// `*which` becomes the lowest index of a literal that occurs there.
///
/// Cost: one pass up to that offset, independent of the literals; one pass for
/// each literal if many bytes resemble a literal and are not one.
/// Never reads outside [bytes, bytes + count).
size_t json_scan_literals_find(const uint8_t *bytes, size_t count,
                               const struct json_scan_literals *literals,
                               size_t *which);

#ifdef __cplusplus
}
#endif

#endif
