/* Which values the fields of commands may have (section 13 of ../../README.md). */
#ifndef TSL_RANGE_H
#define TSL_RANGE_H

#include <stdbool.h>

#include "tsl.pb.h"
#include "tsl_text.h"

/* Whether all fields of a state command or of an action of a class are in range. If one is not, `why` names it.
 * The permit is not checked here: its range depends on the count of cards. */
bool tsl_range_check(const tsl_Command *command, struct tsl_text *why);

#endif
