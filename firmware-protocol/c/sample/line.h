/* Lines of the control socket: what a hand asks for, one JSON object a line, and what it is answered. */
#ifndef LINE_H
#define LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LONGEST_LINE = 8192, MOST_FIELDS = 8 };

enum kind { KIND_TEXT, KIND_NUMBER, KIND_FLAG, KIND_NULL };

struct field {
    const char *name;
    enum kind kind;
    const char *text;
    double number;
    bool flag;
    bool used;
};

struct request {
    struct field fields[MOST_FIELDS];
    size_t count;
    char error[160]; /* what is wrong with it; empty: nothing yet */
};

/* Reads an object of texts, numbers, true, false and null out of `line`, which it changes; `error` says what
 * hinders it. */
void request_read(struct request *request, char *line);

/* The value of a field, or what stands for one that is left out. What is wrong goes into `error`. */
const char *request_text(struct request *request, const char *name, const char *absent);
double request_number(struct request *request, const char *name, double least, double most, double absent);
bool request_flag(struct request *request, const char *name);
bool request_flag_or(struct request *request, const char *name, bool absent);

/* Says what is wrong, if nothing is yet. */
void request_refuse(struct request *request, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool request_good(const struct request *request);

/* Refuses a field that nothing asked for. */
void request_close(struct request *request);

/* A line that grows; what does not fit is left out. */
struct line {
    char bytes[LONGEST_LINE];
    size_t size;
};

void line_add(struct line *line, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A text with its quotes. */
void line_add_text(struct line *line, const char *text);

#endif
