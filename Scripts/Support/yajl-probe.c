// Reads texts that a libyajl without the fix of CVE-2017-16516 reads wrongly, or that stop its process, and compares what it
// makes of them. Exit status: 0 if all is right, 1 if a text is misread, which is printed, 2 for any other failure; or the
// process dies. Scripts/dependencies compiles and runs it.
#include "shim.h"

#include <stdio.h>
#include <string.h>

// An escape that is half of a surrogate pair, where no other half follows. libyajl makes it a question mark.
static const struct {
    const char *text, *first;
} texts[] = {
    {"[\"\\ud800\\\\a\"]", "?\\a"},
    {"[\"\\ud800\\\\u\"]", "?\\u"},
    {"[\"e2d\\ud83d\\\\u0\"]", "e2d?\\u0"},
    {"{\"\\uD800\\\\DC00\":\"a\"}", "?\\DC00"},
    {"[\"\\uD800abc\"]", "?abc"},
    {"[\"\\ud800\"]", "?"},
    {"[\"\\ud83d\\ude00\"]", "\xF0\x9F\x98\x80"},
};

struct reading {
    size_t length;
    unsigned char bytes[64];
    int calls;
};

static int on_text(void *context, const unsigned char *bytes, size_t length) {
    struct reading *reading = context;
    if (reading->calls++ > 0) return 1;
    reading->length = length < sizeof reading->bytes ? length : sizeof reading->bytes;
    memcpy(reading->bytes, bytes, reading->length);
    return 1;
}

int main(void) {
    yajl_callbacks callbacks = {.yajl_string = on_text, .yajl_map_key = on_text};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct reading reading = {0};
        yajl_handle handle = yajl_alloc(&callbacks, NULL, &reading);
        if (handle == NULL) return 2;
        const char *text = texts[i].text, *first = texts[i].first;
        yajl_status status = yajl_parse(handle, (const unsigned char *)text, strlen(text));
        if (status == yajl_status_ok) status = yajl_complete_parse(handle);
        yajl_free(handle);
        if (status != yajl_status_ok || reading.length != strlen(first) ||
            memcmp(reading.bytes, first, reading.length) != 0) {
            printf("%s\n", text);
            return 1;
        }
    }
    return 0;
}
