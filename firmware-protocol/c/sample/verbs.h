/* What a hand may do to any device: take its power, its cable, its time, its memory or its
 * record's past; move its doors, open its case. */
#ifndef VERBS_H
#define VERBS_H

#include "unit.h"

/* False: it is none of these verbs. */
bool unit_verb(struct unit *unit, const char *verb, struct request *request, struct line *answer);

#endif
