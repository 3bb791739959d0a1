#include "tsl_body.h"

struct tsl_outcome tsl_done(void)
{
    return tsl_ended(TSL_DONE, "");
}

struct tsl_outcome tsl_ended(enum tsl_status status, const char *words)
{
    return (struct tsl_outcome){status, tsl_text(words)};
}

struct tsl_outcome tsl_ended_with(enum tsl_status status, const char *words, uint64_t first, uint64_t second)
{
    struct tsl_outcome outcome = {.status = status};
    tsl_text_add_with(&outcome.text, words, first, second);
    return outcome;
}
