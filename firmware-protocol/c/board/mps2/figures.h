/* What calls of the core cost, in a build that measures it: -DBOARD_FIGURES and --wrap for the four calls. */
#ifndef FIGURES_H
#define FIGURES_H

#include <stdbool.h>

#include "line.h"

/* Answers the request "figures", and begins anew; false: it is another one, or nothing is measured. */
bool figures_ask(const char *request, struct line *answer);

#endif
