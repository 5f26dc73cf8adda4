// A part of fuzz.c. Checks the notes that a validation writes about the
// levels of a text, and the children that are found with them.

enum { NOTED_ROOM = 1 << 14, NOTED_BLOCKS = NOTED_ROOM / 64 + 2 };

static uint8_t noted_text[NOTED_ROOM];
static size_t noted_count;

static void put_noted(const char *chunk) {
    size_t length = strlen(chunk);
    memcpy(noted_text + noted_count, chunk, length);
    noted_count += length;
}

// Writes a valid value; values that begin after `wanted` bytes are short.
static void put_sound(size_t depth, size_t wanted, size_t deepest) {
    static const char *const strings[] = {
        "{", "}", "[", "]", ",", "\\\"", "\\\\", "\\\\\\\\\\\\\\\\\\\\\\\\", "a",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    };
    bool is_short = noted_count >= wanted || depth >= deepest;
    switch (is_short ? below(3) : below(7)) {
    case 0: return put_noted("-12.5e3");
    case 1: return put_noted(below(2) ? "null" : " true ");
    case 2:
        put_noted("\"");
        for (size_t i = below(is_short ? 2 : 8); i > 0; i--) {
            put_noted(strings[below(sizeof strings / sizeof *strings)]);
        }
        return put_noted("\"");
    default: {
        bool is_object = below(2);
        put_noted(is_object ? "{" : "[");
        size_t children = below(deepest > 50 ? 3 : 6);
        for (size_t i = 0; i < children; i++) {
            if (i) put_noted(",");
            if (below(9) == 0) put_noted("          \n");
            if (is_object) put_noted(below(4) ? "\"k]\" :" : "\"\\\\\":");
            put_sound(depth + 1, wanted, deepest);
        }
        put_noted(is_object ? "}" : "]");
    }
    }
}

// Returns the expected note of a block, computed byte by byte.
static uint8_t expected_note(size_t start) {
    bool in_string = false, escaped = false, begins_inside = false;
    size_t depth = 0, least = SIZE_MAX;
    for (size_t i = 0; i < start + 64; i++) {
        uint8_t byte = noted_text[i];
        if (i == start) {
            begins_inside = in_string;
            least = depth;
        }
        if (in_string) {
            if (escaped) escaped = false;
            else if (byte == '\\') escaped = true;
            else if (byte == '"') in_string = false;
        } else if (byte == '"') in_string = true;
        else if (byte == '{' || byte == '[') depth++;
        else if (byte == '}' || byte == ']') depth--;
        if (i >= start && depth < least) least = depth;
    }
    size_t level = least + 1 < JSON_LEVELS_MAX ? least + 1 : JSON_LEVELS_MAX;
    return (uint8_t)(level | (begins_inside ? JSON_LEVELS_IN_STRING : 0));
}

// Checks the children of one container: with the notes, and without them.
static void check_noted(const struct json_scan_structure_version *version,
                        const struct json_scan_structure_version *portable,
                        const struct json_validation *validation, const uint8_t *notes,
                        size_t bracket, size_t depth) {
    static struct json_scan_child wanted[NOTED_ROOM], found[NOTED_ROOM];
    const uint8_t *bytes = noted_text + bracket + 1;
    const size_t count = noted_count - bracket - 1;
    struct json_scan_children plain =
        json_scan_children_opened(noted_text[bracket] == '{');
    struct json_scan_children state = plain;
    state.levels = (struct json_levels){notes, NOTED_BLOCKS};
    state.levels_offset = (int64_t)(bracket + 1) - (int64_t)validation->notes_start;
    state.depth = depth;
    size_t wanted_count, total = 0;
    enum json_scan_outcome outcome = portable->children(
        bytes, count, &plain, wanted, NOTED_ROOM, &wanted_count);
    require(outcome == JSON_SCAN_ENDED, "children", "portable", noted_text,
            noted_count, "not sound");
    size_t end = below(2) ? count : below(count + 1);
    for (;;) {
        size_t some, capacity = below(2) ? NOTED_ROOM - total : 1 + below(4);
        const size_t used = (size_t)state.offset;
        outcome = version->children(bytes + used, end - used, &state,
                                    found + total, capacity, &some);
        total += some;
        if (outcome == JSON_SCAN_FULL) continue;
        if (outcome != JSON_SCAN_MORE || end == count) break;
        end = count;
    }
    require(outcome == JSON_SCAN_ENDED && state.offset == plain.offset &&
                total == wanted_count &&
                memcmp(found, wanted, total * sizeof *found) == 0,
            "noted children", version->name, noted_text, noted_count,
            "other children");
}

static void check_levels(const struct json_scan_structure_version *portable) {
    static uint8_t notes[NOTED_BLOCKS];
    static uint64_t kinds[NOTED_ROOM / 64];
    const struct json_validation_limits limits = {UINT64_MAX, UINT64_MAX, UINT64_MAX,
                                             UINT64_MAX, UINT64_MAX};
    noted_count = 0;
    bool is_deep = below(4) == 0;
    for (size_t i = below(70); i > 0; i--) put_noted(" ");
    put_noted("[");
    size_t wanted = below(is_deep ? 3000 : 6000);
    do {
        if (noted_count > 1 && noted_text[noted_count - 1] != '[' &&
            noted_text[noted_count - 1] != ' ') {
            put_noted(",");
        } else {
            put_noted("0,");
        }
        put_sound(1, wanted, is_deep ? 300 : 8);
        // The text after the value must differ from its start.
        if (noted_text[noted_count - 1] == ' ') put_noted("\n");
    } while (noted_count < wanted);
    put_noted("]\n");
    const struct json_validation_version *prover;
    for (size_t v = 0; (prover = json_validation_version(v)); v++) {
        struct json_validation validation;
        json_validation_begin(&validation, false, limits, kinds, sizeof kinds / 8);
        memset(notes, 0, sizeof notes);
        validation.notes = notes;
        validation.notes_count = NOTED_BLOCKS;
        require(prover->run(&validation, noted_text, noted_count) == noted_count,
                "validation", prover->name, noted_text, noted_count, "not validated");
        size_t noted = 0;
        for (size_t k = 0; k < NOTED_BLOCKS; k++) {
            if (notes[k] == 0) continue;
            noted++;
            size_t start = (size_t)validation.notes_start + 64 * k;
            require(start + 64 <= noted_count && notes[k] == expected_note(start),
                    "notes", prover->name, noted_text, noted_count,
                    "another note");
        }
        // The last blocks, the first bytes and those after an alarm have no
        // notes.
        bool has_blocks = strcmp(prover->name, "portable") != 0;
        require(!has_blocks || validation.alarms > 0 ||
                    64 * (noted + 5) > noted_count,
                "notes", prover->name, noted_text, noted_count, "too few");
        bool in_string = false;
        size_t depth = 0;
        for (size_t i = 0; i < noted_count; i++) {
            uint8_t byte = noted_text[i];
            if (in_string && byte == '\\') i++;
            else if (byte == '"') in_string = !in_string;
            else if (!in_string && (byte | 0x20) == '}') depth--;
            else if (!in_string && (byte | 0x20) == '{') {
                depth++;
                if (below(depth + 4) > 3) continue;
                const struct json_scan_structure_version *version;
                for (size_t s = 0; (version = json_scan_structure_version(s)); s++) {
                    check_noted(version, portable, &validation, notes, i, depth);
                }
            }
        }
    }
}
