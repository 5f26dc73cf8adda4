// Random JSON texts, and damage to them.

#ifndef GENERATE_H
#define GENERATE_H

#include "check.h"

enum { LONGEST_TEXT = 1 << 14 };

/// A text that is being made. What does not fit is left out.
struct made {
    uint8_t bytes[LONGEST_TEXT + 4096];
    size_t count;
};

/// Appends a JSON text of about `wanted` bytes. Without line feeds if it is to
/// be a line; containers up to a depth, most much less.
void make_json(struct made *made, size_t wanted, bool is_line, size_t depth);

/// Changes bytes of the text from `start` on: some, moved, left out, put twice.
void damage(struct made *made, size_t start);

#endif
