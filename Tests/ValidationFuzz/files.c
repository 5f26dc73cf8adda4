// Files of test suites and corpora.

#include "parts.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static struct { size_t y, y_proven, n, n_proven, other, other_json; } counts;

static uint8_t *read_file(const char *path, size_t *count) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(2);
    }
    fseek(file, 0, SEEK_END);
    *count = (size_t)ftell(file);
    rewind(file);
    // The text at the end, with blanks before and after it on request.
    uint8_t *bytes = malloc(68 + *count + 80);
    memset(bytes, ' ', 68 + *count + 80);
    if (fread(bytes + 68, 1, *count, file) != *count) exit(2);
    fclose(file);
    return bytes;
}

static void check_file(const char *path) {
    size_t count;
    uint8_t *room = read_file(path, &count);
    uint8_t *text = room + 68;
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    struct setting setting = {.limits = usual_limits};
    // The stack of the block machine is not that deep.
    setting.no_alarms = !strstr(name, "500_nested");
    size_t length = strlen(name);
    setting.is_lines = length > 7 && !strcmp(name + length - 7, ".ndjson");

    uint64_t before = tally.json;
    check_text(text, count, &setting, name);
    bool is_json = tally.json > before;
    if (name[0] == 'y') {
        counts.y++;
        counts.y_proven += is_json;
    } else if (name[0] == 'n') {
        counts.n++;
        counts.n_proven += is_json;
    } else {
        counts.other++;
        counts.other_json += is_json;
    }
    // At every cut, or at some cuts of a long text. At every offset in a block.
    size_t step = count > 20000 ? count / 40 + 1 : 1;
    for (size_t cut = 0; cut <= count; cut += step) {
        setting.cuts = &cut;
        setting.cut_count = 1;
        check_text(text, count, &setting, name);
    }
    setting.cut_count = 0;
    for (size_t offset = 0; offset < 64; offset += count > 20000 ? 13 : 1) {
        check_text(text - 4 - offset, 4 + offset + count + 80, &setting, name);
    }
    free(room);
}

void files(const char *path) {
    struct stat about;
    if (stat(path, &about) != 0) {
        perror(path);
        exit(2);
    }
    if (S_ISDIR(about.st_mode)) {
        DIR *directory = opendir(path);
        struct dirent *entry;
        while (directory && (entry = readdir(directory))) {
            if (!strstr(entry->d_name, "json")) continue;
            char inner[4096];
            snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
            check_file(inner);
        }
        closedir(directory);
    } else {
        check_file(path);
    }
    printf("files: y_ %zu of %zu validated, n_ %zu of %zu, others %zu of %zu\n",
           counts.y_proven, counts.y, counts.n_proven, counts.n,
           counts.other_json, counts.other);
    if (counts.y_proven != counts.y || counts.n_proven != 0) exit(1);
}
