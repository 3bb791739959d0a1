/* The functions of libc that would bring a heap with them, as far as the sample uses them. */
#include <ctype.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reset.h"
#include "semihosting.h"

enum { TEN = 10, HEX = 16, LONGEST_NUMBER = 24, LONGEST_MESSAGE = 512, FRACTION = 1000000 };

/* A text that grows as far as there is room, and its length if there were more. */
struct sink {
    char *text;
    size_t room;
    size_t size;
};

struct format {
    bool zeros;
    int width;
    int precision; /* -1: none */
    int longs;
};

static void put(struct sink *sink, char letter)
{
    if (sink->size + 1 < sink->room)
        sink->text[sink->size] = letter;
    sink->size++;
}

static void put_padded(struct sink *sink, const struct format *format, const char *text, size_t size)
{
    for (int left = format->width - (int)size; left > 0; left--)
        put(sink, format->zeros ? '0' : ' ');
    for (size_t place = 0; place < size; place++)
        put(sink, text[place]);
}

static void put_number(struct sink *sink, const struct format *format, uint64_t number, unsigned base, bool negative)
{
    char text[LONGEST_NUMBER];
    size_t place = sizeof text;
    do {
        text[--place] = "0123456789abcdef"[number % base];
        number /= base;
    } while (number > 0);
    if (negative)
        text[--place] = '-';
    put_padded(sink, format, text + place, sizeof text - place);
}

/* As %g does for numbers of ordinary size. */
static void put_real(struct sink *sink, double number)
{
    const struct format plain = {.precision = -1};
    const bool negative = number < 0;
    const double size = negative ? -number : number;
    uint64_t whole = (uint64_t)size, fraction = (uint64_t)((size - (double)whole) * FRACTION + 0.5);
    put_number(sink, &plain, whole, TEN, negative);
    if (fraction == 0)
        return;
    put(sink, '.');
    for (uint64_t unit = FRACTION / TEN; fraction > 0; fraction %= unit, unit /= TEN)
        put(sink, (char)('0' + fraction / unit));
}

static const char *read_size(const char *at, int *size, va_list *values)
{
    *size = 0;
    if (*at == '*') {
        *size = va_arg(*values, int);
        return at + 1;
    }
    for (; isdigit((unsigned char)*at); at++)
        *size = *size * TEN + (*at - '0');
    return at;
}

static const char *read_format(const char *at, struct format *format, va_list *values)
{
    *format = (struct format){.zeros = *at == '0', .precision = -1};
    at = read_size(at, &format->width, values);
    if (*at == '.')
        at = read_size(at + 1, &format->precision, values);
    for (; *at == 'l' || *at == 'z'; at++)
        format->longs += *at == 'l';
    return at;
}

static void put_signed(struct sink *sink, const struct format *format, va_list *values)
{
    const int64_t number = format->longs == 2 ? va_arg(*values, long long) : va_arg(*values, long);
    put_number(sink, format, number < 0 ? 0 - (uint64_t)number : (uint64_t)number, TEN, number < 0);
}

static void put_unsigned(struct sink *sink, const struct format *format, unsigned base, va_list *values)
{
    const uint64_t number = format->longs == 2 ? va_arg(*values, unsigned long long) : va_arg(*values, unsigned long);
    put_number(sink, format, number, base, false);
}

static void put_text(struct sink *sink, const struct format *format, const char *text)
{
    const size_t size = strlen(text);
    const bool cut = format->precision >= 0 && (size_t)format->precision < size;
    put_padded(sink, format, text, cut ? (size_t)format->precision : size);
}

static void put_value(struct sink *sink, const struct format *format, char kind, va_list *values)
{
    switch (kind) {
    case 'd':
        put_signed(sink, format, values);
        break;
    case 'u':
    case 'x':
        put_unsigned(sink, format, kind == 'x' ? HEX : TEN, values);
        break;
    case 'c':
        put(sink, (char)va_arg(*values, int));
        break;
    case 's':
        put_text(sink, format, va_arg(*values, const char *));
        break;
    case 'g':
        put_real(sink, va_arg(*values, double));
        break;
    default:
        put(sink, kind);
    }
}

int vsnprintf(char *text, size_t room, const char *at, va_list given)
{
    struct sink sink = {text, room, 0};
    struct format format;
    va_list values;
    va_copy(values, given);
    for (; *at != '\0'; at++) {
        if (*at != '%') {
            put(&sink, *at);
            continue;
        }
        at = read_format(at + 1, &format, &values);
        put_value(&sink, &format, *at, &values);
    }
    va_end(values);
    if (room > 0)
        text[sink.size < room ? sink.size : room - 1] = '\0';
    return (int)sink.size;
}

int snprintf(char *text, size_t room, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    const int size = vsnprintf(text, room, format, values);
    va_end(values);
    return size;
}

/* All streams lead to whoever watches the debugger. */
int fprintf(FILE *stream, const char *format, ...)
{
    char text[LONGEST_MESSAGE];
    va_list values;
    (void)stream;
    va_start(values, format);
    const int size = vsnprintf(text, sizeof text, format, values);
    va_end(values);
    semihosting_say(text);
    return size;
}

int fputs(const char *text, FILE *stream)
{
    (void)stream;
    semihosting_say(text);
    return 0;
}

size_t fwrite(const void *bytes, size_t size, size_t count, FILE *stream)
{
    (void)fprintf(stream, "%.*s", (int)(size * count), (const char *)bytes);
    return count;
}

void perror(const char *text)
{
    semihosting_say(text);
    semihosting_say(": it could not be read or written\n");
}

static double read_digits(const char **at, double number, double *scale)
{
    for (; isdigit((unsigned char)**at); (*at)++) {
        number = number * TEN + (**at - '0');
        *scale *= TEN;
    }
    return number;
}

/* Numbers as JSON has them. */
double strtod(const char *text, char **end)
{
    const bool negative = *text == '-';
    const char *at = text + negative, *begins = at;
    double scale = 1, number = read_digits(&at, 0, &scale);
    scale = 1;
    if (at != begins && *at == '.') {
        at++;
        number = read_digits(&at, number, &scale) / scale;
    }
    if (at != begins && (*at == 'e' || *at == 'E')) {
        char *rest = NULL;
        long exponent = strtol(at + 1, &rest, TEN);
        for (; exponent > 0; exponent--)
            number *= TEN;
        for (; exponent < 0; exponent++)
            number /= TEN;
        at = rest;
    }
    *end = (char *)(uintptr_t)(at == begins ? text : at);
    return negative ? -number : number;
}

void abort(void)
{
    reset_board(TSL_RESET_SOFTWARE);
}

char *optarg;
int optind;

/* Only words such as --name value. */
int getopt_long(int count, char *const *words, const char *letters, const struct option *options, int *found)
{
    (void)letters;
    (void)found;
    if (optind == 0)
        optind = 1;
    if (optind + 1 >= count || strncmp(words[optind], "--", 2) != 0)
        return -1;
    for (; options->name != NULL; options++)
        if (strcmp(words[optind] + 2, options->name) == 0) {
            optarg = words[optind + 1];
            optind += 2;
            return options->val;
        }
    return '?';
}
