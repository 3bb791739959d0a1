#include "tsl_body.h"

struct tsl_outcome tsl_done(void)
{
    return tsl_ended(TSL_DONE, "");
}

struct tsl_outcome tsl_ended(enum tsl_status status, const char *words)
{
    return (struct tsl_outcome){status, tsl_text(words)};
}
