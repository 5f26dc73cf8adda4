// Scans over the structure of JSON text: where a container ends, and where its
// children lie. They look at quotes, brackets, commas and colons only: what
// stands between these is not judged.
//
// As in json_scan.h, every function reads only [bytes, bytes + count),
// allocates nothing, and may be called from any thread. State that lasts from
// one window to the next is the caller's.

#ifndef JSON_SCAN_STRUCTURE_H
#define JSON_SCAN_STRUCTURE_H

#include "json_levels.h"
#include "json_scan_compact.h"
#include "json_scan_layout.h"
#include "json_scan_words.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Where a scan stands inside a container. It can stop and go on anywhere.
struct json_scan_container {
    /// Open containers, and how many of them are objects. Closing brackets are
    /// taken off by what they are, so a `]` that closes an object shows as soon
    /// as the outermost container ends: then `objects` is not 0.
    int64_t depth;
    int64_t objects;
    bool in_string;
    /// A backslash stands before the next byte.
    bool escaped;
};

/// The state behind an opening bracket.
static inline struct json_scan_container
json_scan_container_opened(bool is_object) {
    struct json_scan_container state = {1, is_object ? 1 : 0, false, false};
    return state;
}

/// The offset of the bracket that closes the outermost container, or `count`
/// if it is not there. Brackets in strings do not count.
///
/// When it is found, `depth` becomes 0 and the flags false; `objects` is 0 if
/// there were as many `}` as `{`, and so as many `]` as `[`. How they cross is
/// not looked at: `[{]}` passes. A backslash escapes a quote outside strings
/// too, where no JSON has one.
///
/// Cost: one pass up to that bracket.
/// Never reads outside [bytes, bytes + count).
size_t json_scan_container_end(const uint8_t *bytes, size_t count,
                               struct json_scan_container *state);

/// One member or element. Offsets count from where the scan began.
struct json_scan_child {
    /// The key between its quotes, as it is written. 0 in arrays.
    uint64_t key_start, key_end;
    /// The value: from its first byte up to the comma or bracket behind it.
    /// White space may stand at its end.
    uint64_t value_start, value_end;
};

/// What is expected next. Private to the kernels.
enum json_scan_phase {
    JSON_SCAN_PHASE_KEY,
    JSON_SCAN_PHASE_IN_KEY,
    JSON_SCAN_PHASE_COLON,
    JSON_SCAN_PHASE_BEFORE_VALUE,
    JSON_SCAN_PHASE_VALUE,
};

/// Where a scan stands among the children of a container.
struct json_scan_children {
    struct json_scan_container nest;
    /// How many bytes have been used.
    uint64_t offset;
    /// What is known of the child that is open.
    struct json_scan_child child;
    uint8_t phase;
    bool is_object;
    /// No child has ended.
    bool is_first;
    /// What was noted when the text was proven. With it only places are looked
    /// at in which a child may end, and nothing is malformed but what no proven
    /// text has in such a place.
    struct json_levels levels;
    /// How far the container's first byte is behind that of the first note.
    int64_t levels_place;
    /// How many containers are open in the container, with it.
    uint64_t depth;
};

enum json_scan_outcome {
    /// All bytes are used, and the container goes on.
    JSON_SCAN_MORE,
    /// There is no room for more children. The scan can go on behind the last.
    JSON_SCAN_FULL,
    /// The closing bracket is the last byte used.
    JSON_SCAN_ENDED,
    /// No JSON goes on so. `offset` is that of the byte that is wrong. The scan
    /// cannot go on.
    JSON_SCAN_MALFORMED,
    /// The scan has stopped behind a key.
    JSON_SCAN_STOPPED,
};

/// The state behind an opening bracket.
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

/// Finds the children of one container. Those inside children are passed over.
///
/// Writes up to `capacity` children, at least 1, and sets `*found`. These are
/// malformed: no key before a colon, no colon, a colon behind a value, nothing
/// before a comma, a comma before the closing bracket, and a value or the
/// container itself with other brackets of a kind opened than closed. What else
/// a value is made of is not looked at.
///
/// Cost: one pass over the bytes that are used.
/// Never reads outside [bytes, bytes + count).
enum json_scan_outcome json_scan_children(const uint8_t *bytes, size_t count,
                                          struct json_scan_children *state,
                                          struct json_scan_child *children,
                                          size_t capacity, size_t *found);

// ---- Members

enum {
    /// Names that a scan can have. One for many more would look at each of them
    /// for each key.
    JSON_SCAN_MAX_NAMES = 64,
    /// So many are looked for by their bytes; of more, every key is compared.
    JSON_SCAN_PROBED_NAMES = 4,
};

/// A name of a member, as it is written without escapes.
struct json_scan_name {
    const uint8_t *bytes;
    size_t count;
    /// The byte behind the opening quote, and another one in its place behind
    /// that: the closing quote, if it is not too far.
    uint8_t first, probe;
    size_t probe_offset;
};

/// Names of members that are looked for together. Prepared once, only read
/// after that.
struct json_scan_names {
    size_t count;
    /// How many bytes behind an opening quote are looked at at once.
    size_t reach;
    /// More bytes than this spell none of them, whatever the escapes.
    size_t longest_spelling;
    /// A name can be spelled with an escape other than `\u`.
    bool has_short_escapes;
    struct json_scan_name names[JSON_SCAN_MAX_NAMES];
};

/// Prepares a scan for `count` names, whose bytes follow one another and whose
/// lengths are given; the caller keeps the bytes. False if there is none or
/// there are too many.
bool json_scan_names_prepare(struct json_scan_names *names,
                             const uint8_t *bytes, const size_t *lengths,
                             size_t count);

/// Where a scan stands among the members of an object.
struct json_scan_members {
    struct json_scan_container nest;
    /// Outside of strings: the last byte that is used and is no white space. A
    /// comma if a key may come.
    uint8_t before;
    /// The key behind which the scan has stopped, between its quotes; counted
    /// from the first byte of the call.
    size_t key_start, key_end;
    /// Which of the names it is; their number if it has an escape that may
    /// spell one.
    size_t name;
};

/// The state before a key.
static inline struct json_scan_members json_scan_members_opened(void) {
    struct json_scan_members state = {
        json_scan_container_opened(true), ',', 0, 0, 0,
    };
    return state;
}

/// Goes over the members of one object, and stops behind each key that is one
/// of the names or may be. `*used` becomes the number of bytes used: up to the
/// closing quote of that key, or up to the end of the object, both included.
/// The scan can go on there, over the value.
///
/// With JSON_SCAN_MORE all bytes are used, but for a key that the last one
/// cuts: the next call must begin with its opening quote. JSON_SCAN_MALFORMED
/// says that up to the key or bracket at `*used` other brackets of a kind are
/// opened than closed. All else between the keys is not judged, and what is no
/// member of JSON may be taken for one.
///
/// Cost: one pass over the bytes that are used.
/// Never reads outside [bytes, bytes + count).
enum json_scan_outcome json_scan_members(const uint8_t *bytes, size_t count,
                                         struct json_scan_members *state,
                                         const struct json_scan_names *names,
                                         size_t *used);

// ---- Trees of names

enum {
    /// Objects of a tree, and all their names.
    JSON_SCAN_MAX_OBJECTS = 16,
    JSON_SCAN_MAX_BRANCHES = 32,
    /// A value of more bytes is not as usual.
    JSON_SCAN_LONGEST_SCALAR = 1 << 12,
    JSON_SCAN_LONGEST_CONTAINER = 1 << 16,
};

/// An object in which names are looked for.
struct json_scan_tree_object {
    const struct json_scan_names *names;
    /// The number of its first name among those of all objects.
    uint32_t first;
    /// A bit for each of its names, from bit 0 on.
    uint32_t all;
};

/// Names that are looked for in an object, names in the values of some of them,
/// and so on: a tree, whose leaves are values. The chain `.a.b` is one of two
/// objects with one name each.
struct json_scan_tree {
    /// How many names there are.
    size_t branches;
    /// Every value to which a name leads is written: arrays and objects at
    /// leaves, the objects in which the tree goes on, and what stands in their
    /// place. Without it only scalars at leaves are as usual.
    bool takes_all;
    /// Lines hold one JSON text each, which is known. When all names have come, the
    /// rest of a line is not looked at.
    bool has_proven_lines;
    /// The first is the element. No list has the same name twice.
    struct json_scan_tree_object objects[JSON_SCAN_MAX_OBJECTS];
    /// By name: the object that its value is, which comes behind that with the
    /// name, or 0 if the name is a leaf.
    uint8_t targets[JSON_SCAN_MAX_BRANCHES];
};

/// A value to which a name leads. Offsets count from the first byte of the call.
struct json_scan_value {
    /// From its first byte to behind its last: what it is made of is not judged.
    /// Of an object in which the tree goes on, both are that of its brace, and
    /// what was found in it comes next.
    size_t start, end;
    /// The number of the element in which it stands, from 0 on.
    uint32_t element;
    /// The number of its name.
    uint32_t branch;
};

/// What a call has found.
struct json_scan_found {
    size_t values, elements;
    /// Bit n: object n of the tree was there, in one of the elements.
    uint32_t opened;
};

/// Goes over the elements of an array as long as they are objects and as usual,
/// and follows a tree in each. The first byte is one behind an element: white
/// space or the comma. Returns how many bytes are used, up to the end of an
/// element.
///
/// As usual is what is complete in the bytes, has as many brackets of each kind
/// opened as closed, spells no key with an escape that may be one of the tree,
/// and, if the tree does not take all, has objects where it goes on, and scalars
/// at its leaves. A number or
/// word goes on up to white space, a comma or a closing bracket. Only the first
/// member of each name counts. Behind a value that counts stands a comma or the
/// end of its object, if names of that have not come yet. What is passed over is
/// not judged, as with json_scan_members.
///
/// Writes up to `capacity` values, in their order in the text: there must be
/// room for `branches`. It stops too when there is no room for so many more.
///
/// Cost: one pass over the bytes that are used, and over the element behind
/// them; each value that counts costs about a block more.
/// Never reads outside [bytes, bytes + count).
size_t json_scan_elements(const uint8_t *bytes, size_t count,
                          const struct json_scan_tree *tree,
                          struct json_scan_value *values, size_t capacity,
                          struct json_scan_found *found);

/// The same of one object, whose brace is the first byte. Returns the offset behind
/// it, or 0 if it is not as usual; `values` has room for `branches` of them.
///
/// Cost: one pass over the object.
/// Never reads outside [bytes, bytes + count).
size_t json_scan_record(const uint8_t *bytes, size_t count,
                        const struct json_scan_tree *tree,
                        struct json_scan_value *values,
                        struct json_scan_found *found);

/// A line that was gone over.
struct json_scan_line {
    /// The offset behind its line feed. It begins where the one before it ends.
    size_t end;
    /// Bit n: object n of the tree was there.
    uint32_t opened;
};

/// The same over lines that end with a line feed: they are the elements. As usual
/// is a line whose first byte opens an object and that holds nothing but white
/// space behind it. Returns how many bytes of whole lines are used.
///
/// Writes up to `most` lines, and stops too when there is no room for more.
///
/// Cost: one pass over the bytes that are used, and over the line behind them;
/// and line feeds are looked for.
/// Never reads outside [bytes, bytes + count).
size_t json_scan_lines(const uint8_t *bytes, size_t count,
                       const struct json_scan_tree *tree,
                       struct json_scan_value *values, size_t capacity,
                       struct json_scan_line *lines, size_t most,
                       struct json_scan_found *found);

// ---- Brackets

/// A place at which whoever walks over a text has something to do.
struct json_scan_mark {
    /// That of a bracket, or of the opening quote of a string.
    uint32_t offset;
    /// How many commas stand before it, outside of strings.
    uint32_t commas;
};

/// What a call has gone over.
struct json_scan_marked {
    size_t marks;
    /// Behind the last bracket or comma outside of strings: here the next call
    /// can begin. 0 if there is none.
    size_t end;
    /// How many commas stand before that.
    uint32_t commas;
};

/// Finds all brackets outside of strings, and the strings that may be one of
/// some names: what begins and ends as one, and what has an escape that may
/// spell a character of one. Of many names it finds all strings. The first byte is
/// outside of strings.
///
/// Goes over whole blocks of 64 bytes that have `reach` of the names behind
/// them, up to 2^30 bytes, and as long as there is room for 65 marks more.
///
/// Cost: one pass.
/// Never reads outside [bytes, bytes + count).
void json_scan_brackets(const uint8_t *bytes, size_t count,
                        const struct json_scan_names *names,
                        struct json_scan_mark *marks, size_t capacity,
                        struct json_scan_marked *marked);

// ---- Needles

enum { JSON_SCAN_MAX_NEEDLES = 64 };

/// Needles that are looked for together. Prepared once, only read after that.
struct json_scan_needles {
    /// All needles, one behind the other. The caller keeps them.
    const uint8_t *bytes;
    size_t count;
    size_t starts[JSON_SCAN_MAX_NEEDLES + 1];
    /// The length of the shortest.
    size_t shortest;
    /// Of one needle: where its two rarest bytes stand.
    size_t rare[2];
    /// Of several: the bytes of all that are looked at first, and which of
    /// eight groups of needles have them, by low and by high half byte.
    size_t print_start, print_count;
    uint8_t low[3][16], high[3][16];
};

/// Prepares a search for `count` needles, whose bytes follow one another and
/// whose lengths are given. False if there is none or there are too many, or if
/// one is empty.
bool json_scan_needles_prepare(struct json_scan_needles *needles,
                               const uint8_t *bytes, const size_t *lengths,
                               size_t count);

/// The first place at which one of the needles stands as a whole, or `count`.
/// `*which` becomes the first needle of the list that stands there.
///
/// Cost: one pass up to that place, whatever the needles; where much looks
/// like one and is none, one pass for each needle.
/// Never reads outside [bytes, bytes + count).
size_t json_scan_needles_find(const uint8_t *bytes, size_t count,
                              const struct json_scan_needles *needles,
                              size_t *which);

/// The offset of the last 0A, or `count` if there is none.
///
/// Cost: one pass from the end back to that byte.
/// Never reads outside [bytes, bytes + count).
size_t json_scan_last_newline(const uint8_t *bytes, size_t count);

// ---- Versions

/// The kernels of one instruction set.
struct json_scan_structure_version {
    const char *name;
    /// What a processor must have, for the choice.
    int level;
    size_t (*container_end)(const uint8_t *bytes, size_t count,
                            struct json_scan_container *state);
    enum json_scan_outcome (*children)(const uint8_t *bytes, size_t count,
                                       struct json_scan_children *state,
                                       struct json_scan_child *children,
                                       size_t capacity, size_t *found);
    enum json_scan_outcome (*members)(const uint8_t *bytes, size_t count,
                                      struct json_scan_members *state,
                                      const struct json_scan_names *names,
                                      size_t *used);
    void (*brackets)(const uint8_t *bytes, size_t count,
                     const struct json_scan_names *names,
                     struct json_scan_mark *marks, size_t capacity,
                     struct json_scan_marked *marked);
    bool (*words)(const uint8_t *bytes, size_t count, uint64_t origin,
                  struct json_scan_words *state, uint64_t *words,
                  size_t capacity);
    size_t (*compact)(const uint8_t *bytes, size_t count, uint8_t *to,
                      struct json_scan_compact *state);
    size_t (*layout)(const uint8_t *bytes, size_t count,
                     const struct json_scan_style *style,
                     struct json_scan_layout *state, uint8_t *to,
                     size_t capacity);
    size_t (*needles_find)(const uint8_t *bytes, size_t count,
                           const struct json_scan_needles *needles,
                           size_t *which);
};

/// The versions that this processor can run, the best one first, the portable
/// one last, then null. For tests and measurements: the functions above choose.
const struct json_scan_structure_version *
json_scan_structure_version(size_t index);

#ifdef __cplusplus
}
#endif

#endif
