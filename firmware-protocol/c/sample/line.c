#include "line.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *skip_space(char *rest)
{
    while (isspace((unsigned char)*rest))
        rest++;
    return rest;
}

/* Reads a text in place; what follows it, NULL if it does not end. An escaped byte stands for itself. */
static char *read_text(char *rest, const char **text)
{
    char *to = ++rest;
    *text = to;
    for (; *rest != '"'; rest++) {
        if (*rest == '\\')
            rest++;
        if (*rest == '\0')
            return NULL;
        *to++ = *rest;
    }
    *to = '\0';
    return rest + 1;
}

static char *read_word(char *rest, const char *word, struct field *field, enum kind kind, bool flag)
{
    const size_t size = strlen(word);
    if (strncmp(rest, word, size) != 0)
        return NULL;
    field->kind = kind;
    field->flag = flag;
    return rest + size;
}

static char *read_number(char *rest, struct field *field)
{
    char *end = rest;
    field->kind = KIND_NUMBER;
    field->number = strtod(rest, &end);
    return end == rest ? NULL : end;
}

static char *read_value(char *rest, struct field *field)
{
    field->kind = KIND_TEXT;
    switch (*rest) {
    case '"':
        return read_text(rest, &field->text);
    case 't':
        return read_word(rest, "true", field, KIND_FLAG, true);
    case 'f':
        return read_word(rest, "false", field, KIND_FLAG, false);
    case 'n':
        return read_word(rest, "null", field, KIND_NULL, false);
    default:
        return read_number(rest, field);
    }
}

/* Reads `"name": value`; what follows, NULL if it is none. */
static char *read_field(char *rest, struct field *field)
{
    rest = skip_space(rest);
    if (*rest != '"' || (rest = read_text(rest, &field->name)) == NULL)
        return NULL;
    rest = skip_space(rest);
    if (*rest != ':' || (rest = read_value(skip_space(rest + 1), field)) == NULL)
        return NULL;
    return skip_space(rest);
}

void request_read(struct request *request, char *line)
{
    char *rest = skip_space(line);
    memset(request, 0, sizeof *request);
    if (*rest != '{') {
        request_refuse(request, "a request is an object such as {\"do\": \"reboot\"}");
        return;
    }
    do {
        if (request->count == MOST_FIELDS) {
            request_refuse(request, "more than %d fields", MOST_FIELDS);
            return;
        }
        rest = read_field(rest + 1, &request->fields[request->count++]);
    } while (rest != NULL && *rest == ',');
    if (rest == NULL || *rest != '}')
        request_refuse(request, "not JSON that this device reads");
}

static struct field *find(struct request *request, const char *name)
{
    for (size_t place = 0; place < request->count; place++)
        if (strcmp(request->fields[place].name, name) == 0) {
            request->fields[place].used = true;
            return &request->fields[place];
        }
    return NULL;
}

const char *request_text(struct request *request, const char *name, const char *absent)
{
    const struct field *field = find(request, name);
    if (field == NULL || field->kind == KIND_NULL)
        return absent;
    if (field->kind != KIND_TEXT)
        request_refuse(request, "%s: must be a text", name);
    return field->kind == KIND_TEXT ? field->text : absent;
}

double request_number(struct request *request, const char *name, double least, double most, double absent)
{
    const struct field *field = find(request, name);
    if (field == NULL || field->kind == KIND_NULL)
        return absent;
    if (field->kind != KIND_NUMBER || field->number < least || field->number > most)
        request_refuse(request, "%s: must be a number from %g to %g", name, least, most);
    return field->number;
}

bool request_flag_or(struct request *request, const char *name, bool absent)
{
    const struct field *field = find(request, name);
    if (field == NULL)
        return absent;
    if (field->kind != KIND_FLAG)
        request_refuse(request, "%s: must be true or false", name);
    return field->flag;
}

bool request_flag(struct request *request, const char *name)
{
    if (find(request, name) == NULL)
        request_refuse(request, "%s is missing", name);
    return request_flag_or(request, name, false);
}

void request_refuse(struct request *request, const char *format, ...)
{
    va_list values;
    if (request->error[0] != '\0')
        return;
    va_start(values, format);
    (void)vsnprintf(request->error, sizeof request->error, format, values);
    va_end(values);
}

bool request_good(const struct request *request)
{
    return request->error[0] == '\0';
}

void request_close(struct request *request)
{
    for (size_t place = 0; place < request->count; place++)
        if (!request->fields[place].used)
            request_refuse(request, "unknown field %s", request->fields[place].name);
}

void line_add(struct line *line, const char *format, ...)
{
    va_list values;
    const size_t room = sizeof line->bytes - line->size;
    va_start(values, format);
    const int size = vsnprintf(line->bytes + line->size, room, format, values);
    va_end(values);
    if (size > 0 && (size_t)size < room)
        line->size += (size_t)size;
    line->bytes[line->size] = '\0';
}

void line_add_text(struct line *line, const char *text)
{
    line_add(line, "\"");
    for (; *text != '\0'; text++)
        line_add(line, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
    line_add(line, "\"");
}
