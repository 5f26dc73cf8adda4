// simdjson-peer path FILE          the sum of $.records[*].user.id
// simdjson-peer value FILE PLACE   $.records[PLACE].user.id
//
// simdjson On-Demand on the same questions; prints one number. Built by `run --peers` where libsimdjson-dev is there.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <simdjson.h>

using namespace simdjson;

int main(int count, char **words) {
    if (count < 3) return 2;
    padded_string text;
    if (padded_string::load(words[2]).get(text)) return 2;
    ondemand::parser parser;
    ondemand::document document;
    if (parser.iterate(text).get(document)) return 1;
    ondemand::array records;
    if (document["records"].get_array().get(records)) return 1;
    if (strcmp(words[1], "value") == 0) {
        if (count < 4) return 2;
        int64_t id;
        size_t place = strtoull(words[3], nullptr, 10);
        if (records.at(place)["user"]["id"].get_int64().get(id)) return 1;
        printf("%lld\n", (long long)id);
        return 0;
    }
    int64_t sum = 0;
    for (auto record : records) {
        ondemand::object user;
        int64_t id;
        if (record["user"].get_object().get(user)) continue;
        if (user["id"].get_int64().get(id)) return 1;
        sum += id;
    }
    printf("%lld\n", (long long)sum);
    return 0;
}
