#include "words.h"

#include <string.h>

#include "semihosting.h"

enum { LONGEST_WORDS = 4096, MOST_WORDS = 48 };

void words_read(struct settings *settings)
{
    static char text[LONGEST_WORDS], program[] = "device";
    static char *words[MOST_WORDS + 1] = {program};
    int count = 1;
    if (!semihosting_words(text, sizeof text))
        semihosting_exit();
    for (char *rest = text; rest != NULL && count < MOST_WORDS; count++) {
        words[count] = rest;
        rest = strchr(rest, ' ');
        if (rest != NULL)
            *rest++ = '\0';
    }
    if (!settings_read(settings, count, words))
        semihosting_exit();
}
