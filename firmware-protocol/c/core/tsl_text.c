#include "tsl_text.h"

#include <string.h>

enum { TENTH = 100000, DIGITS = 20 };

static void add_byte(struct tsl_text *text, char byte)
{
    if (text->size < TSL_LONGEST_TEXT)
        text->bytes[text->size++] = byte;
}

struct tsl_text tsl_text(const char *words)
{
    struct tsl_text text = {.size = 0};
    tsl_text_add(&text, words);
    return text;
}

void tsl_text_add(struct tsl_text *text, const char *words)
{
    for (; *words != '\0'; words++)
        add_byte(text, *words);
}

void tsl_text_add_number(struct tsl_text *text, uint64_t number)
{
    char digits[DIGITS];
    int count = 0;
    do {
        digits[count++] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    while (count > 0)
        add_byte(text, digits[--count]);
}

void tsl_text_add_with(struct tsl_text *text, const char *words, uint64_t first, uint64_t second)
{
    for (; *words != '\0'; words++) {
        if (*words != '#') {
            add_byte(text, *words);
            continue;
        }
        tsl_text_add_number(text, first);
        first = second;
    }
}

void tsl_text_add_hex(struct tsl_text *text, const uint8_t *bytes, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t place = 0; place < size; place++) {
        add_byte(text, digits[bytes[place] >> 4]);
        add_byte(text, digits[bytes[place] & 15]);
    }
}

void tsl_text_add_seconds(struct tsl_text *text, uint64_t microseconds)
{
    const uint64_t rest = microseconds % TENTH;
    uint64_t tenths = microseconds / TENTH;
    if (rest > TENTH / 2 || (rest == TENTH / 2 && tenths % 2 == 1))
        tenths++; /* a half goes to the even digit */
    tsl_text_add_with(text, "#.#", tenths / 10, tenths % 10);
}

void tsl_copy_text(char to[TSL_LONGEST_TEXT + 1], const char *words)
{
    const struct tsl_text text = tsl_text(words);
    memcpy(to, text.bytes, sizeof text.bytes);
}
