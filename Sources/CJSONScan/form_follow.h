// Follows a form along a line. A file that includes this defines before:
//
//     KERNEL, KERNEL_INLINE       attributes of functions, and of inlined ones
//     FORM_ROOM                   the number of bytes that the next two may read
//     size_t form_string_end(const uint8_t *, size_t count, size_t i)
//                                 the offset of the closing quote of the string
//                                 whose content begins at `i`; `count` if fewer
//                                 than FORM_ROOM bytes are left before it
//     size_t form_scalar_end(const uint8_t *, size_t count, size_t i)
//                                 the same for the end of a number or literal
//     size_t form_container_end(const uint8_t *, size_t count,
//                               struct json_scan_container *)

// Returns the offset after the value at `i`, or `count` if that is not certain.
KERNEL_INLINE size_t form_value_end(const uint8_t *bytes, size_t count,
                                    size_t i) {
    if (bytes[i] == '"') {
        i = form_string_end(bytes, count, i + 1);
        return i < count ? i + 1 : count;
    }
    if ((bytes[i] | 0x20) == '{') {
        struct json_scan_container scan =
            json_scan_container_opened(bytes[i] == '{');
        i++;
        i += form_container_end(bytes + i, count - i, &scan);
        return i < count ? i + 1 : count;
    }
    return form_scalar_end(bytes, count, i);
}

static KERNEL size_t follow(const uint8_t *bytes, size_t count, size_t start,
                            const struct json_scan_form *form, uint32_t element,
                            struct json_scan_value *values,
                            struct json_scan_value **end) {
    size_t i = start;
    const uint64_t *words = form->words;
    for (uint32_t n = 0; n < form->steps; n++) {
        const struct json_scan_form_step *step = &form->step[n];
        const size_t last = step->words - 1u;
        if (count - i < 8 * last + 8 + FORM_ROOM) return 0;
        const uint8_t *text = bytes + i;
        uint64_t word, differences = 0;
        for (size_t k = 0; k < last; k++) {
            memcpy(&word, text + 8 * k, 8);
            differences |= word ^ words[k];
        }
        memcpy(&word, text + 8 * last, 8);
        differences |= (word ^ words[last]) & step->last_mask;
        if (differences) return 0;
        words += last + 1;
        i += step->length;
        if (step->kind == JSON_SCAN_FORM_LINE) break;
        const size_t first = i;
        if (step->kind != JSON_SCAN_FORM_OBJECT) {
            i = form_value_end(bytes, count, i);
            // Nothing is there if more white space follows than in the form.
            if (i == count || i == first) return 0;
            if (step->kind == JSON_SCAN_FORM_OTHER_VALUE) continue;
            if (step->kind == JSON_SCAN_FORM_NO_OBJECT && bytes[first] == '{') {
                return 0;
            }
        }
        *values++ =
            (struct json_scan_value){first, i, element, step->branch};
    }
    *end = values;
    return i;
}
