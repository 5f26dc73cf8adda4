// The forms of lines: which form a line has, and the form of a line whose values
// were found without one (json_scan_structure.h).

#include "structure_kernels.h"

#include "json_scan.h"

enum {
    // After this number of lines without a known form only some lines are
    // tried, so that lines of many forms cost little more than without forms.
    MAX_MISSES = 64,
    TRIED_LINES = 16,
};

void json_scan_forms_prepare(struct json_scan_forms *forms) {
    // Nothing else of a form without steps is read.
    for (uint32_t n = 0; n < JSON_SCAN_MAX_FORMS; n++) {
        forms->forms[n].steps = 0;
    }
    forms->latest = forms->next = forms->misses = 0;
}

static bool tries_line(const struct json_scan_forms *forms) {
    return forms->misses < MAX_MISSES || forms->misses % TRIED_LINES == 0;
}

size_t json_follow_forms(const struct json_scan_structure_version *kernels,
                         const uint8_t *bytes, size_t count, size_t start,
                         struct json_scan_forms *forms, uint32_t element,
                         struct json_scan_value *values,
                         struct json_scan_value **end, uint32_t *opened) {
    if (!tries_line(forms)) return 0;
    for (uint32_t n = 0; n < JSON_SCAN_MAX_FORMS; n++) {
        uint32_t index = (forms->latest + n) % JSON_SCAN_MAX_FORMS;
        const struct json_scan_form *form = &forms->forms[index];
        if (form->steps == 0) continue;
        size_t after = kernels->follow(bytes, count, start, form, element,
                                       values, end);
        if (after == 0) continue;
        if (form->has_all_names) {
            after += json_scan_newline(bytes + after, count - after);
            if (after == count) return 0;
            after++;
        }
        *opened = form->opened;
        forms->latest = index;
        forms->misses = 0;
        return after;
    }
    return 0;
}

// The form that is being made, and the text before the next step.
struct draft {
    struct json_scan_form *form;
    const uint8_t *bytes;
    size_t text;
    size_t words;
};

// Adds a step with the text up to `end`. Returns whether there is room for it.
static bool add_step(struct draft *draft, size_t end,
                     enum json_scan_form_kind kind, uint32_t branch) {
    struct json_scan_form *form = draft->form;
    const size_t length = end - draft->text;
    const size_t words = (length + 7) / 8;
    if (length == 0 || form->steps == JSON_SCAN_MAX_FORM_STEPS ||
        words > JSON_SCAN_MAX_FORM_WORDS - draft->words) {
        return false;
    }
    struct json_scan_form_step *step = &form->step[form->steps++];
    *step = (struct json_scan_form_step){
        .last_mask = 0,
        .length = (uint16_t)length,
        .words = (uint16_t)words,
        .kind = (uint8_t)kind,
        .branch = (uint8_t)branch,
    };
    memset(&step->last_mask, 0xFF, length - (words - 1) * 8);
    uint64_t *to = form->words + draft->words;
    to[words - 1] = 0;
    memcpy(to, draft->bytes + draft->text, length);
    draft->words += words;
    draft->text = end;
    return true;
}

// Returns the offset after the value at `i` of a proven line, which ends with
// the line feed at `feed`.
static size_t value_end(const struct json_scan_structure_version *kernels,
                        const uint8_t *bytes, size_t i, size_t feed) {
    if (bytes[i] == '"') {
        bool escaped = false;
        i++;
        return i + json_scan_string_end(bytes + i, feed - i, &escaped) + 1;
    }
    if ((bytes[i] | 0x20) == '{') {
        struct json_scan_container scan =
            json_scan_container_opened(bytes[i] == '{');
        i++;
        return i + kernels->container_end(bytes + i, feed - i, &scan) + 1;
    }
    while (i < feed && !json_ends_scalar(bytes[i])) i++;
    return i;
}

// An open object of the trie, and a bit for each of its names that was found.
struct open_object {
    const struct json_scan_trie_object *object;
    uint32_t found_names;
};

static bool have_all_names(const struct open_object *open, size_t depth) {
    for (size_t n = 0; n < depth; n++) {
        if (open[n].found_names != open[n].object->all_names) return false;
    }
    return true;
}

static size_t after_blanks(const uint8_t *bytes, size_t i, size_t feed) {
    return i + json_scan_whitespace(bytes + i, feed - i);
}

// Makes the form of a line. Returns false if it has no room, or if the bytes
// are not a proven line after all.
static bool make_form(const struct json_scan_structure_version *kernels,
                      const uint8_t *bytes, size_t start, size_t feed,
                      const struct json_scan_trie *trie,
                      const struct json_scan_value *value,
                      const struct json_scan_value *end,
                      struct json_scan_form *form) {
    struct draft draft = {form, bytes, start, 0};
    struct open_object open[JSON_SCAN_MAX_OBJECTS];
    size_t depth = 1, i = start + 1;
    open[0] = (struct open_object){trie->objects, 0};
    // At this point `i` is after a brace or a comma of the innermost object.
    for (;;) {
        i = after_blanks(bytes, i, feed);
        if (i < feed && bytes[i] == '"') {
            i = after_blanks(bytes, value_end(kernels, bytes, i, feed), feed);
            if (i >= feed || bytes[i] != ':') return false;
            i = after_blanks(bytes, i + 1, feed);
            if (i >= feed) return false;
            struct open_object *inner = &open[depth - 1];
            bool is_found = value < end && value->start == i;
            uint32_t branch = is_found ? value->branch : 0;
            uint8_t target = trie->targets[branch];
            if (is_found) {
                inner->found_names |= (uint32_t)1
                                      << (branch - inner->object->first);
                value++;
                if (target > 0 && bytes[i] == '{') {
                    if (!add_step(&draft, i, JSON_SCAN_FORM_OBJECT, branch)) {
                        return false;
                    }
                    open[depth++] =
                        (struct open_object){trie->objects + target, 0};
                    i++;
                    continue;
                }
            }
            if (!add_step(&draft, i,
                          !is_found    ? JSON_SCAN_FORM_OTHER_VALUE
                          : target > 0 ? JSON_SCAN_FORM_NO_OBJECT
                                       : JSON_SCAN_FORM_VALUE,
                          branch)) {
                return false;
            }
            i = value_end(kernels, bytes, i, feed);
            if (i > feed) return false;
            draft.text = i;
            if (is_found && have_all_names(open, depth)) {
                form->has_all_names = true;
                return value == end;
            }
            i = after_blanks(bytes, i, feed);
        }
        while (i < feed && bytes[i] == '}') {
            i = after_blanks(bytes, i + 1, feed);
            if (--depth > 0) continue;
            return i == feed && value == end &&
                   add_step(&draft, feed + 1, JSON_SCAN_FORM_LINE, 0);
        }
        if (i >= feed || bytes[i] != ',') return false;
        i++;
    }
}

void json_learn_form(const struct json_scan_structure_version *kernels,
                     const uint8_t *bytes, size_t start, size_t feed,
                     const struct json_scan_trie *trie,
                     const struct json_scan_value *values,
                     const struct json_scan_value *end, uint32_t opened,
                     struct json_scan_forms *forms) {
    const bool is_tried = tries_line(forms);
    if (forms->misses < UINT32_MAX) forms->misses++;
    if (!is_tried) return;
    struct json_scan_form *form = &forms->forms[forms->next];
    form->steps = 0;
    form->opened = opened;
    form->has_all_names = false;
    if (!make_form(kernels, bytes, start, feed, trie, values, end, form)) {
        form->steps = 0;
        return;
    }
    forms->next = (forms->next + 1) % JSON_SCAN_MAX_FORMS;
}
