// Random JSON texts, and damage to them.

#ifndef GENERATE_H
#define GENERATE_H

#include "check.h"

enum { LONGEST_TEXT = 1 << 14 };

/// A text being generated. Bytes that do not fit are dropped.
struct made {
    uint8_t bytes[LONGEST_TEXT + 4096];
    size_t count;
};

/// Appends a JSON text of about `wanted` bytes, without line feeds if `is_line`
/// is set. Containers container up to `depth`, most of them much less.
void make_json(struct made *made, size_t wanted, bool is_line, size_t depth);

/// Damages the text from `start` on: changes, moves, removes or repeats some
/// bytes.
void damage(struct made *made, size_t start);

#endif
