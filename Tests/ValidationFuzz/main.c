// validation PART [ARGUMENTS]: searches for texts for which the validation is
// wrong.
//
//     validation sequences [TOKENS [WHOLE [BEYOND]]]
//     validation runs [TOKENS]
//     validation lengths
//     validation random TEXTS SEED
//     validation valid TEXTS SEED
//     validation resumed TEXTS SEED
//     validation yajl TEXTS SEED
//     validation files PATH...

#include "parts.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static uint64_t number(int argc, char **argv, int index, uint64_t usual) {
    return argc > index ? strtoull(argv[index], NULL, 10) : usual;
}

int main(int argc, char **argv) {
    const char *part = argc > 1 ? argv[1] : "";
    clock_t start = clock();
    if (!strcmp(part, "sequences")) {
        all_sequences((unsigned)number(argc, argv, 2, 4),
                      (unsigned)number(argc, argv, 3, 3),
                      (unsigned)number(argc, argv, 4, 2));
    } else if (!strcmp(part, "runs")) {
        long_runs((unsigned)number(argc, argv, 2, 2));
    } else if (!strcmp(part, "lengths")) {
        lengths();
    } else if (!strcmp(part, "random") || !strcmp(part, "valid")) {
        random_texts(number(argc, argv, 2, 100000), number(argc, argv, 3, 1),
                     !strcmp(part, "valid"));
    } else if (!strcmp(part, "resumed")) {
        resumed(number(argc, argv, 2, 100000), number(argc, argv, 3, 1));
    } else if (!strcmp(part, "yajl")) {
#ifndef NO_YAJL
        oracle_and_yajl(number(argc, argv, 2, 1000000),
                        number(argc, argv, 3, 1));
#endif
    } else if (!strcmp(part, "files")) {
        for (int i = 2; i < argc; i++) files(argv[i]);
    } else {
        fprintf(stderr, "validation: no part %s\n", part);
        return 2;
    }
    printf("%s: %llu texts (%llu JSON), %llu bytes, %llu runs, %llu alarms, "
           "0 differences; %.1f s;",
           part, (unsigned long long)tally.texts, (unsigned long long)tally.json,
           (unsigned long long)tally.bytes, (unsigned long long)tally.runs,
           (unsigned long long)tally.alarms,
           (double)(clock() - start) / CLOCKS_PER_SEC);
    for (size_t v = 0; json_validation_version(v); v++) {
        printf(" %s", json_validation_version(v)->name);
    }
    printf("\n");
    return 0;
}
