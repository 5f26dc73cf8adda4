// Only finds libyajl for CRawYajl. The library's own door has another name: two packages may not share a module name.
#include <yajl/yajl_parse.h>
