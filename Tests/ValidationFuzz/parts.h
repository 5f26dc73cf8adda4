// The parts of the test program. Each exits at the first difference.

#ifndef PARTS_H
#define PARTS_H

#include "generate.h"

/// Generated texts, three quarters of them damaged; or only valid ones, which
/// must be validated without an alarm.
void random_texts(uint64_t rounds, uint64_t seed, bool only_valid);

/// Every sequence of up to `whole` tokens at all offsets in a block; and of up
/// to `most` tokens, where an invalid beginning is followed by at most `beyond`
/// tokens. Fewer tokens in lines.
void all_sequences(unsigned most, unsigned whole, unsigned beyond);

/// Runs of 63 to 129 digits, blanks, backslashes and bytes of strings, at each
/// position in each sequence of up to `most` tokens.
void long_runs(unsigned most);

/// Tokens and lines about as long as their limit.
void lengths(void);

/// The recogniser against libyajl.
void oracle_and_yajl(uint64_t rounds, uint64_t seed);

/// Files at every cut: y_ must be validated, n_ must not; others must be
/// validated if they are JSON. A directory, or a file.
void files(const char *path);

/// A validation that is moved past an undecided token and continues there.
void resumed(uint64_t rounds, uint64_t seed);

#endif
